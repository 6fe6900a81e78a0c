// Linspect's machine, as far as a harness can tell, on a real processor: it calls the harness's operations one after
// the other as standard input says, or at random in several threads, and prints what they return.
#define _POSIX_C_SOURCE 200809L

#include <linspect.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPERATIONS 16
#define DOMAIN_SIZE 16

typedef struct {
    const char *name;
    void (*run)(void);
    int arity; // of its arguments
    int values;
    long long domain[DOMAIN_SIZE][2];
} operation_t;

void linspect_value_list(int parts);
void linspect_return_unit(void);
void linspect_return_bytes(const unsigned char *text, size_t length);

// Written from the harness's symbols.
extern void (*const declarations[])(void);
void linspect_object(void);

static operation_t operations[OPERATIONS];
static int declared;

static _Thread_local long long arguments[2];
static _Thread_local char result[128];

void linspect_operation(const char *name, void (*run)(void), int order) {
    (void)order;
    operations[declared++] = (operation_t){.name = strdup(name), .run = run};
}
void linspect_value_pair(long long first, long long second) {
    operation_t *last = &operations[declared - 1];
    last->arity = 2;
    last->domain[last->values][0] = first;
    last->domain[last->values++][1] = second;
}
void linspect_value(long long value) {
    linspect_value_pair(value, 0);
    operations[declared - 1].arity = 1;
}
void linspect_value_list(int parts) {
    operation_t *last = &operations[declared - 1];
    last->arity = parts; // of two values, the harnesses of the zoo have no more
    last->values--;
    last->domain[last->values - 1][1] = last->domain[last->values][0];
}
void linspect_specification(const char *name, const char *settings) { (void)name, (void)settings; }
void linspect_single_thread(const char *operations, const char *role) { (void)operations, (void)role; }
void linspect_at_most(const char *operation, int calls) { (void)operation, (void)calls; }
void linspect_after(const char *operation, const char *first) { (void)operation, (void)first; }
void linspect_model_operation(const char *name, void (*run)(void)) { (void)name, (void)run; }
void linspect_client(const char *text) { (void)text; }
void linspect_allow_race(const char *names) { (void)names; }
void linspect_may_fail(const char *operation, const char *result) { (void)operation, (void)result; }
void linspect_progress(const char *guarantee) { (void)guarantee; }
void linspect_settings(const char *text) { (void)text; }
int linspect_cancels(void) { return 0; }
long long linspect_argument(int index) { return arguments[index]; }

static void give(const char *text) {
    if (*result)
        strcat(result, " ");
    strcat(result, text);
}
void linspect_return_int(long long value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    give(text);
}
void linspect_return_bool(int value) { give(value ? "true" : "false"); }
void linspect_return_nil(void) { give("nil"); }
void linspect_return_unit(void) {}
// No object of the zoo returns an option in an option, or a result in a result: what is inside says it all.
void linspect_return_some(void) {}
void linspect_return_ok(void) {}
void linspect_return_list(int parts) { (void)parts; } // values separated by blanks are a list

// What the crate `linspect` links with, though no harness of the zoo has texts or truth values as arguments.
void linspect_value_bool(int value) { linspect_value(value); }
void linspect_value_text(const char *value) { (void)value, abort(); }
const char *linspect_argument_text(int index) { (void)index, abort(); }
void linspect_return_bytes(const unsigned char *text, size_t length) { (void)text, (void)length, abort(); }
int linspect_choose(int ways) { (void)ways, abort(); }
void linspect_assume(int condition) { (void)condition, abort(); }

static pthread_mutex_t atomically = PTHREAD_MUTEX_INITIALIZER;
void linspect_atomic_begin(void) { pthread_mutex_lock(&atomically); }
void linspect_atomic_end(void) { pthread_mutex_unlock(&atomically); }

// One line per operation: its name, the number of its arguments, the values of its domain.
static void list_operations(void) {
    for (int i = 0; i < declared; i++) {
        operation_t *operation = &operations[i];
        printf("%s %d", operation->name, operation->arity);
        for (int v = 0; v < operation->values; v++)
            for (int a = 0; a < operation->arity; a++)
                printf(" %lld", operation->domain[v][a]);
        puts("");
    }
}

// Each line is `new`, or an operation with its arguments; each operation is answered by a line.
static void run_script(void) {
    char line[128];
    while (fgets(line, sizeof line, stdin)) {
        char name[64];
        sscanf(line, "%63s %lld %lld", name, &arguments[0], &arguments[1]);
        if (strcmp(name, "new") == 0) {
            linspect_object();
            continue;
        }
        for (int i = 0; i < declared; i++) {
            if (strcmp(name, operations[i].name) == 0) {
                *result = '\0';
                operations[i].run();
                puts(result);
            }
        }
    }
}

typedef struct {
    int operation;
    long long arguments[2];
    char result[32];
    unsigned call, ret;
} record_t;

typedef struct {
    int calls;
    record_t *records;
} worker_t;

static atomic_uint clock_now;
static atomic_int waiting;

static void *work(void *data) {
    worker_t *worker = data;
    atomic_fetch_sub(&waiting, 1);
    while (atomic_load(&waiting) > 0)
        sched_yield();
    for (int i = 0; i < worker->calls; i++) {
        record_t *record = &worker->records[i];
        operation_t *operation = &operations[record->operation];
        memcpy(arguments, record->arguments, sizeof arguments);
        *result = '\0';
        record->call = atomic_fetch_add(&clock_now, 1);
        operation->run();
        record->ret = atomic_fetch_add(&clock_now, 1);
        strncpy(record->result, result, sizeof record->result - 1);
    }
    return NULL;
}

static unsigned random_below(unsigned *seed, int bound) {
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 16) % (unsigned)bound;
}

// Runs `rounds` times `threads` threads with `calls` random calls each on a new object. Arguments are from the
// operation's domain or, for a container of `distinct` values, new each time.
static void run_threads(int rounds, int threads, int calls, unsigned seed, int distinct) {
    for (int round = 0; round < rounds; round++) {
        linspect_object();
        worker_t workers[8];
        pthread_t ids[8];
        atomic_store(&waiting, threads);
        long long fresh = 0;
        for (int t = 0; t < threads; t++) {
            workers[t] = (worker_t){.calls = calls, .records = calloc((size_t)calls, sizeof(record_t))};
            for (int i = 0; i < calls; i++) {
                record_t *record = &workers[t].records[i];
                record->operation = (int)random_below(&seed, declared);
                operation_t *operation = &operations[record->operation];
                if (operation->values > 0)
                    memcpy(record->arguments, operation->domain[random_below(&seed, operation->values)],
                           sizeof record->arguments);
                if (distinct)
                    record->arguments[0] = ++fresh;
            }
        }
        for (int t = 0; t < threads; t++)
            pthread_create(&ids[t], NULL, work, &workers[t]);
        for (int t = 0; t < threads; t++)
            pthread_join(ids[t], NULL);
        for (int t = 0; t < threads; t++) {
            for (int i = 0; i < calls; i++) {
                record_t *record = &workers[t].records[i];
                operation_t *operation = &operations[record->operation];
                printf("%d %u %u %s", t, record->call, record->ret, operation->name);
                for (int a = 0; a < operation->arity; a++)
                    printf(" %lld", record->arguments[a]);
                printf(" = %s\n", record->result);
            }
            free(workers[t].records);
        }
        puts("end");
    }
}

int main(int argc, char **argv) {
    for (int i = 0; declarations[i]; i++)
        declarations[i]();
    if (argc == 1)
        run_script();
    else if (argc == 2)
        list_operations();
    else
        run_threads(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), (unsigned)atoi(argv[4]), argc == 6);
    return 0;
}
