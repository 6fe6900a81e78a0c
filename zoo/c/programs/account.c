// A deposit, a withdrawal, and an auditor that checks the books once both say that they are done: a sum
// that is computed outside of the lock gets lost.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;
static bool deposit_done, withdraw_done;

static void *deposit(void *unused) {
    pthread_mutex_lock(&lock);
    int seen = balance;
    pthread_mutex_unlock(&lock);
    int sum = seen + 30;
    pthread_mutex_lock(&lock);
    balance = sum; // deposit
    deposit_done = true;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *withdraw(void *unused) {
    pthread_mutex_lock(&lock);
    balance = balance - 40; // withdrawal
    withdraw_done = true;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *audit(void *unused) {
    pthread_mutex_lock(&lock);
    if (deposit_done && withdraw_done)
        assert(balance == 100 + 30 - 40);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, deposit, NULL);
    pthread_create(&threads[1], NULL, withdraw, NULL);
    pthread_create(&threads[2], NULL, audit, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
