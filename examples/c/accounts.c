/* A sequential model: two accounts with a lock each. No built-in specification knows `transfer`, so plain code says what it should do.
 *
 *     linspect test examples/c/accounts.c
 */
#include <linspect.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct {
    pthread_mutex_t lock;
    int balance;
} account;

static account a = {PTHREAD_MUTEX_INITIALIZER, 0}, b = {PTHREAD_MUTEX_INITIALIZER, 0};

static int change(account *of, int by) {
    pthread_mutex_lock(&of->lock);
    int balance = of->balance += by;
    pthread_mutex_unlock(&of->lock);
    return balance;
}

static bool transfer(int amount) {
    if (change(&a, 0) < amount)
        return false;
    change(&a, -amount); /* each account is locked, the two together are not */
    change(&b, amount);
    return true;
}

static int total(void) { return change(&a, 0) + change(&b, 0); }

LINSPECT_SETUP { a.balance = 10; }
LINSPECT_OP_RET(bool, transfer, transfer(amount), int amount, 5, 10)
LINSPECT_OP_RET(int, total, total())

/* The model is never run by two threads, so it needs no locks. */
static int plain_a, plain_b;

LINSPECT_MODEL_SETUP {
    plain_a = 10;
    plain_b = 0;
}
LINSPECT_MODEL_OP_RET(bool, transfer, plain_a >= amount && (plain_a -= amount, plain_b += amount, true), int amount)
LINSPECT_MODEL_OP_RET(int, total, plain_a + plain_b)

LINSPECT_SHOW { printf("a %d, b %d", a.balance, b.balance); }
LINSPECT_SHOW_MODEL { printf("a %d, b %d", plain_a, plain_b); }
