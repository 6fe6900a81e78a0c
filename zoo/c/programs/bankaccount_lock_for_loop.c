// The bank account of Holzer et al., "Error Invariants for Concurrent Traces", Figure 1: three deposits and
// two withdrawals, each reading and writing the balance under the lock, but not in one go.
#include <assert.h>
#include <pthread.h>

#define MAX 100
#define MIN -100

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;
static const int a[] = {1, 2, 4, 8, 16};

static void *deposit(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        int bal = balance;
        pthread_mutex_unlock(&lock);
        if (bal + a[i] <= MAX)
            bal = bal + a[i];
        pthread_mutex_lock(&lock);
        balance = bal; // deposit
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *withdraw(void *unused) {
    for (int j = 3; j < 5; j++) {
        pthread_mutex_lock(&lock);
        int bal = balance;
        pthread_mutex_unlock(&lock);
        if (bal - a[j] >= MIN)
            bal = bal - a[j];
        pthread_mutex_lock(&lock);
        balance = bal; // withdrawal
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t depositor, withdrawer;
    pthread_create(&depositor, NULL, deposit, NULL);
    pthread_create(&withdrawer, NULL, withdraw, NULL);
    pthread_join(depositor, NULL);
    pthread_join(withdrawer, NULL);
    assert(balance == 1 + 2 + 4 - 8 - 16);
    return 0;
}
