// setjmp and longjmp in one thread each: errors that leave many calls, retries, coroutine-like loops, qsort left half way, buffers that
// were copied, and what pthread_cleanup_push has noted when a thread ends in the middle.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread jmp_buf env;
static __thread int depth;

static void dive(int n, int code) {
    char local[32];
    memset(local, n, sizeof local);
    if (n == 0)
        longjmp(env, code);
    depth++;
    dive(n - 1, code);
    printf("never %d\n", local[0]);
}

static int attempt(int n, int code) {
    volatile int before = 7;
    int same = n * 10;
    int came = setjmp(env);
    if (came) {
        printf("came %d, before %d, same %d\n", came, before, same);
        return came;
    }
    before = 8;
    dive(n, code);
    return 0;
}

static int retry(int times) {
    volatile int tries = 0;
    if (setjmp(env) != 0)
        printf("again\n");
    tries++;
    if (tries < times)
        longjmp(env, tries);
    return tries;
}

static int in_a_loop(void) {
    volatile int sum = 0;
    for (int i = 0; i < 4; i++) {
        jmp_buf here;
        switch (setjmp(here)) {
        case 0:
            if (i % 2)
                longjmp(here, i);
            sum += 100;
            break;
        case 1:
            sum += 1;
            break;
        default:
            sum += 10;
        }
    }
    return sum;
}

static jmp_buf out_of_sort;
static int gives_up(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    if (x == 3 || y == 3)
        longjmp(out_of_sort, 33);
    return x - y;
}

static int copied(void) {
    jmp_buf first, second;
    int came = setjmp(first);
    if (came)
        return came;
    memcpy(second, first, sizeof first);
    longjmp(second, 0);
}

static int nested(void) {
    sigjmp_buf outer, inner;
    int o = sigsetjmp(outer, 1);
    if (o)
        return o;
    if (sigsetjmp(inner, 0) == 5)
        siglongjmp(outer, 6);
    siglongjmp(inner, 5);
}

static int sizes(int n) {
    jmp_buf here;
    volatile int sum = 0;
    if (setjmp(here) == 0) {
        int room[n];
        for (int i = 0; i < n; i++)
            room[i] = i;
        sum = room[n - 1];
        longjmp(here, 1);
    }
    return sum;
}

static char log_[64];
static void note(void *text) { strcat(log_, text); }

static void leave(void) { pthread_exit("left"); }

static void *cleans(void *arg) {
    pthread_cleanup_push(note, "outer ");
    pthread_cleanup_push(note, "inner ");
    pthread_cleanup_push(note, "gone ");
    pthread_cleanup_pop(0);
    if (arg)
        leave();
    note("stays ");
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    return "returned";
}

static void *dives(void *n) { return (void *)(long)(attempt((int)(long)n, 40 + (int)(long)n) + depth); }

int main(void) {
    printf("%d\n", attempt(0, 1));
    printf("%d\n", attempt(3, 2));
    printf("depth %d\n", depth);
    printf("retry %d\n", retry(4));
    printf("loop %d\n", in_a_loop());
    int numbers[] = {5, 1, 4, 3, 2};
    int came = setjmp(out_of_sort);
    if (!came)
        qsort(numbers, 5, sizeof *numbers, gives_up);
    printf("sort %d\n", came);
    printf("copied %d\n", copied());
    printf("nested %d\n", nested());
    printf("sizes %d\n", sizes(9));
    for (int how = 0; how < 2; how++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, cleans, how ? log_ : NULL);
        pthread_join(thread, &result);
        printf("%s: %s\n", (char *)result, log_);
        log_[0] = 0;
    }
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, dives, (void *)2);
    pthread_join(thread, &result);
    printf("%ld\n", (long)result);
}
