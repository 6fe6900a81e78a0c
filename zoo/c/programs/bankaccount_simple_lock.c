// The bank account of Holzer et al., "Error Invariants for Concurrent Traces", Figure 1, with one deposit
// and one withdrawal: the balance is read under the lock and written under the lock, but not in one go.
#include <assert.h>
#include <pthread.h>

#define MAX 100
#define MIN 0

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 20;

static void *deposit(void *amount) {
    pthread_mutex_lock(&lock);
    int bal = balance;
    pthread_mutex_unlock(&lock);
    if (bal + *(int *)amount <= MAX)
        bal = bal + *(int *)amount;
    pthread_mutex_lock(&lock);
    balance = bal; // deposit
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *withdraw(void *amount) {
    pthread_mutex_lock(&lock);
    int bal = balance;
    pthread_mutex_unlock(&lock);
    if (bal - *(int *)amount >= MIN)
        bal = bal - *(int *)amount;
    pthread_mutex_lock(&lock);
    balance = bal; // withdrawal
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    int in = 10, out = 5;
    pthread_t depositor, withdrawer;
    pthread_create(&depositor, NULL, deposit, &in);
    pthread_create(&withdrawer, NULL, withdraw, &out);
    pthread_join(depositor, NULL);
    pthread_join(withdrawer, NULL);
    assert(balance == 20 + in - out);
    return 0;
}
