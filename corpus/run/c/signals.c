// Handlers of signals, and signals that the program raises itself.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
static volatile sig_atomic_t hits, last;
static void on(int n) {
    hits++;
    last = n;
}
static void info(int n, siginfo_t *i, void *c) {
    (void)c;
    hits += 10;
    last = i ? i->si_signo : n;
}
static void *worker(void *p) {
    sigset_t s;
    sigemptyset(&s);
    sigaddset(&s, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &s, 0);
    return p;
}
int main(void) {
    struct sigaction sa, old;
    memset(&sa, 0, sizeof sa);
    sa.sa_handler = on;
    sigemptyset(&sa.sa_mask);
    printf("%d", sigaction(SIGUSR1, &sa, &old));
    printf(" %d\n", old.sa_handler == SIG_DFL);
    raise(SIGUSR1);
    printf("%d %d\n", hits, last == SIGUSR1);
    void (*prev)(int) = signal(SIGUSR2, on);
    printf("%d\n", prev == SIG_DFL);
    raise(SIGUSR2);
    printf("%d %d %d\n", hits, last == SIGUSR2, signal(SIGUSR2, SIG_IGN) == on);
    raise(SIGUSR2);
    printf("%d\n", hits);
    sa.sa_flags = SA_SIGINFO;
    sa.sa_sigaction = info;
    sigaction(SIGINT, &sa, 0);
    raise(SIGINT);
    printf("%d %d\n", hits, last == SIGINT);
    signal(SIGPIPE, SIG_IGN);
    sigset_t set, was;
    sigfillset(&set);
    sigdelset(&set, SIGTERM);
    printf("%d %d %d\n", sigprocmask(SIG_SETMASK, &set, &was), sigismember(&set, SIGTERM), sigismember(&set, SIGHUP));
    sigprocmask(SIG_SETMASK, &was, 0);
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    kill(getpid(), SIGUSR1);
    printf("%d\n", hits);
    alarm(0);
    errno = 0;
    printf("%d %d\n", signal(-1, on) == SIG_ERR, errno == EINVAL);
    return 0;
}
