// exit 1: DEADLOCK
// A take from an empty stack keeps the lock. A stack never lets a push wait, so this is wrong though nobody runs beside it.
#include <linspect.h>
#include <pthread.h>
static pthread_mutex_t m;
static int top, buf[8];
LINSPECT_SETUP {
    pthread_mutex_init(&m, 0);
    top = 0;
}
static void push(int v) {
    pthread_mutex_lock(&m);
    buf[top++] = v;
    pthread_mutex_unlock(&m);
}
static int pop(void) {
    pthread_mutex_lock(&m);
    if (top == 0)
        return -1; /* still locked */
    int v = buf[--top];
    pthread_mutex_unlock(&m);
    return v;
}
LINSPECT_OP(push, push(v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, pop())
LINSPECT_SPEC(stack, .empty = -1)
