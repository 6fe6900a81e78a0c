/* What a harness in C or C++ includes to describe a concurrent object to Linspect.
 *
 *     #include <linspect.h>
 *     #include "ms_queue.h"
 *
 *     LINSPECT_OBJECT(queue_t *, q, queue_new())
 *     LINSPECT_OP(enqueue, queue_push(q, v), int v, 1, 2)
 *     LINSPECT_OP_RET(int, dequeue, queue_pop(q))
 *     LINSPECT_SPEC(queue, .empty = -1)
 *
 * The functions below exist only in Linspect's machine.
 */
#ifndef LINSPECT_H
#define LINSPECT_H

#ifdef __cplusplus
#define LINSPECT_C extern "C"
extern "C" {
#else
#define LINSPECT_C
#endif

void linspect_operation(const char *name, void (*run)(void), int order);
void linspect_model_operation(const char *name, void (*run)(void));
void linspect_value(long long value);
void linspect_value_bool(int value);
void linspect_value_text(const char *value);
void linspect_value_pair(long long first, long long second);
void linspect_single_thread(const char *operations, const char *role);
void linspect_at_most(const char *operation, int calls);
void linspect_after(const char *operation, const char *first);
void linspect_may_fail(const char *operation, const char *result);
void linspect_specification(const char *name, const char *arguments);
void linspect_client(const char *text);
void linspect_allow_race(const char *names);
void linspect_progress(const char *guarantee);
void linspect_settings(const char *text);

long long linspect_argument(int index);
const char *linspect_argument_text(int index);

void linspect_return_int(long long value);
void linspect_return_bool(int value);
void linspect_return_text(const char *value);
void linspect_return_nil(void);
/* Makes a list of the last `parts` values returned. */
void linspect_return_list(int parts);

/* Everything between the two is one step, as if the processor had an instruction for it. */
void linspect_atomic_begin(void);
void linspect_atomic_end(void);
void linspect_assert(int condition, const char *text);
/* One of 0 to ways - 1 (at most 255 ways): all of them are tried. */
int linspect_choose(int ways);
/* Runs in which the condition does not hold here do not count. */
void linspect_assume(int condition);

/* A number with a fraction is a text, all digits of it. */
static inline void linspect_return_number(double value) {
    char linspect_digits[40];
    __builtin_snprintf(linspect_digits, sizeof linspect_digits, "%.17g", value);
    linspect_return_text(linspect_digits);
}

#ifdef __cplusplus
}
/* Results in C++: truth values, texts, numbers, enumerations and pointers; what may hold a value (std::optional), pairs and strings of those. */
extern "C++" {
static inline void linspect_reply(bool value) { linspect_return_bool(value); }
static inline void linspect_reply(char *value) { linspect_return_text(value); }
static inline void linspect_reply(const char *value) { linspect_return_text(value); }
static inline void linspect_reply(float value) { linspect_return_number(value); }
static inline void linspect_reply(double value) { linspect_return_number(value); }
template <int N> struct linspect_rank_ : linspect_rank_<N - 1> {};
template <> struct linspect_rank_<0> {};
template <class T> static inline void linspect_reply(const T &value);
template <class T>
static inline auto linspect_reply_(const T &value, linspect_rank_<4>)
    -> decltype((void)value.has_value(), (void)*value) {
    if (value.has_value())
        linspect_reply(*value);
    else
        linspect_return_nil();
}
template <class T>
static inline auto linspect_reply_(const T &value, linspect_rank_<3>) -> decltype((void)value.c_str()) {
    linspect_return_text(value.c_str());
}
template <class T>
static inline auto linspect_reply_(const T &value, linspect_rank_<2>)
    -> decltype((void)value.first, (void)value.second) {
    linspect_reply(value.first);
    linspect_reply(value.second);
    linspect_return_list(2);
}
template <class T>
static inline auto linspect_reply_(const T &value, linspect_rank_<1>) -> decltype((void)(long long)value) {
    linspect_return_int((long long)value);
}
template <class T> struct linspect_unknown_ { enum { is = 0 }; };
template <class T> static inline void linspect_reply_(const T &, linspect_rank_<0>) {
    static_assert(linspect_unknown_<T>::is,
                  "this type of result is not known: write LINSPECT_OP_BODY(name) { ... linspect_return_int(...); }");
}
template <class T> static inline void linspect_reply(const T &value) {
    linspect_reply_(value, linspect_rank_<4>());
}
}
#else
#define linspect_reply(VALUE)                                                                      \
    _Generic((VALUE),                                                                              \
        _Bool: linspect_return_bool,                                                               \
        char *: linspect_return_text,                                                              \
        const char *: linspect_return_text,                                                        \
        float: linspect_return_number,                                                             \
        double: linspect_return_number,                                                            \
        default: linspect_return_int)(VALUE)
#endif

/* LINSPECT_OBJECT(type, name, expression): the object is a variable, built anew for every client. */
#define LINSPECT_OBJECT(TYPE, NAME, ...)                                                           \
    static TYPE NAME;                                                                              \
    LINSPECT_C void linspect_object(void) { NAME = __VA_ARGS__; }

/* LINSPECT_SETUP { ... }: the same for objects that need statements. */
#define LINSPECT_SETUP LINSPECT_C void linspect_object(void)

/* LINSPECT_TEARDOWN { queue_free(q); }: destroys the object at the end of every client, after everything else; what goes wrong in it is a
 * finding. Destructors of C++ objects that are variables themselves run anyway. */
#define LINSPECT_TEARDOWN LINSPECT_C void linspect_teardown(void)

/* LINSPECT_OP(name, call) or LINSPECT_OP(name, call, parameter, values...): an operation without result. */
#define LINSPECT_OP(NAME, CALL, ...)                                                               \
    LINSPECT_C void linspect_op_##NAME(void) {                                                     \
        __VA_OPT__(LINSPECT_PARAMETER_(__VA_ARGS__))                                               \
        CALL;                                                                                      \
    }                                                                                              \
    LINSPECT_DECLARE_(NAME, __VA_OPT__(LINSPECT_VALUES_(__VA_ARGS__)))

/* LINSPECT_OP_RET(type, name, call) or with parameter, values...: an operation that returns `type`. */
#define LINSPECT_OP_RET(TYPE, NAME, CALL, ...)                                                     \
    LINSPECT_C void linspect_op_##NAME(void) {                                                     \
        __VA_OPT__(LINSPECT_PARAMETER_(__VA_ARGS__))                                               \
        TYPE linspect_result = CALL;                                                               \
        linspect_reply(linspect_result);                                                           \
    }                                                                                              \
    LINSPECT_DECLARE_(NAME, __VA_OPT__(LINSPECT_VALUES_(__VA_ARGS__)))

/* The same with two parameters; values are given in pairs: LINSPECT_OP2(put, map_put(m, k, v), int k, int v, 1, 1, 1, 2). */
#define LINSPECT_OP2(NAME, CALL, FIRST, SECOND, ...)                                               \
    LINSPECT_C void linspect_op_##NAME(void) {                                                     \
        FIRST = linspect_argument(0);                                                              \
        SECOND = linspect_argument(1);                                                             \
        CALL;                                                                                      \
    }                                                                                              \
    LINSPECT_DECLARE_(NAME, LINSPECT_PAIRS_(__VA_ARGS__))

#define LINSPECT_OP2_RET(TYPE, NAME, CALL, FIRST, SECOND, ...)                                     \
    LINSPECT_C void linspect_op_##NAME(void) {                                                     \
        FIRST = linspect_argument(0);                                                              \
        SECOND = linspect_argument(1);                                                             \
        TYPE linspect_result = CALL;                                                               \
        linspect_reply(linspect_result);                                                           \
    }                                                                                              \
    LINSPECT_DECLARE_(NAME, LINSPECT_PAIRS_(__VA_ARGS__))

/* LINSPECT_OP_BODY(name) { ... }, LINSPECT_OP_BODY(name, values...) { ... }: an operation that asks for its arguments and
 * gives its result itself, by linspect_argument and linspect_return_... */
#define LINSPECT_OP_BODY(NAME, ...)                                                                \
    LINSPECT_C void linspect_op_##NAME(void);                                                      \
    LINSPECT_DECLARE_(NAME, __VA_OPT__(LINSPECT_VALUES_(unused, __VA_ARGS__)))                     \
    LINSPECT_C void linspect_op_##NAME(void)

/* Who may call an operation, and when; clients that do not keep to it are not tried.
 *
 *     LINSPECT_SINGLE_THREAD(push, pop)  one thread alone calls them: the owner of a work-stealing deque, the producer of a queue
 *     LINSPECT_AT_MOST(close, 1)         it is called at most once in a test
 *     LINSPECT_AFTER(unlock, lock)       each call takes up an earlier one of the other operation in the same thread
 */
#define LINSPECT_SINGLE_THREAD(NAME, ...)                                                          \
    LINSPECT_C void linspect_declare__single_thread_##NAME(void) {                                 \
        linspect_single_thread(#NAME __VA_OPT__("," #__VA_ARGS__), #NAME);                         \
    }
#define LINSPECT_AT_MOST(NAME, CALLS)                                                              \
    LINSPECT_C void linspect_declare__at_most_##NAME(void) { linspect_at_most(#NAME, CALLS); }
#define LINSPECT_AFTER(NAME, FIRST)                                                                \
    LINSPECT_C void linspect_declare__after_##NAME(void) { linspect_after(#NAME, #FIRST); }

/* LINSPECT_MAY_FAIL(try_push, false), LINSPECT_MAY_FAIL(pop, -1): beside others it may return this for no reason, and has done nothing then.
 * Alone it may not. */
#define LINSPECT_MAY_FAIL(NAME, ...)                                                               \
    LINSPECT_C void linspect_declare__may_fail_##NAME(void) {                                      \
        linspect_may_fail(#NAME, LINSPECT_TEXT_(__VA_ARGS__));                                     \
    }

/* What the object should do is said in one of three ways, or not at all: then the object, run alone, is its own measure.
 *
 * 1. A sequential model: plain code that is never run by two threads. It has the operations of the object, under the same names.
 *
 *     LINSPECT_MODEL(struct ring *, m, ring_new())
 *     LINSPECT_MODEL_OP(enqueue, ring_put(m, v), int v)
 *     LINSPECT_MODEL_OP_RET(int, dequeue, ring_get(m))
 */
#define LINSPECT_MODEL(TYPE, NAME, ...)                                                            \
    static TYPE NAME;                                                                              \
    LINSPECT_C void linspect_model(void) { NAME = __VA_ARGS__; }

/* LINSPECT_MODEL_SETUP { ... }: the same for models that need statements. */
#define LINSPECT_MODEL_SETUP LINSPECT_C void linspect_model(void)

#define LINSPECT_MODEL_OP(NAME, CALL, ...)                                                         \
    LINSPECT_C void linspect_model_op_##NAME(void) {                                               \
        __VA_OPT__(LINSPECT_PARAMETERS_(__VA_ARGS__))                                              \
        CALL;                                                                                      \
    }                                                                                              \
    LINSPECT_DECLARE_MODEL_(NAME)

#define LINSPECT_MODEL_OP_RET(TYPE, NAME, CALL, ...)                                               \
    LINSPECT_C void linspect_model_op_##NAME(void) {                                               \
        __VA_OPT__(LINSPECT_PARAMETERS_(__VA_ARGS__))                                              \
        TYPE linspect_result = CALL;                                                               \
        linspect_reply(linspect_result);                                                           \
    }                                                                                              \
    LINSPECT_DECLARE_MODEL_(NAME)

/* LINSPECT_MODEL_OP_BODY(name) { ... }: an operation of the model that asks for its arguments and gives its result itself. */
#define LINSPECT_MODEL_OP_BODY(NAME)                                                               \
    LINSPECT_C void linspect_model_op_##NAME(void);                                                \
    LINSPECT_DECLARE_MODEL_(NAME)                                                                  \
    LINSPECT_C void linspect_model_op_##NAME(void)

/* 2. The same object, built otherwise: LINSPECT_GOLDEN(q, queue_new(0)) takes the queue without relaxation for the measure of one with. */
#define LINSPECT_GOLDEN(NAME, ...)                                                                 \
    LINSPECT_C void linspect_model(void) { NAME = __VA_ARGS__; }

/* 3. A specification that is built in: */

/* LINSPECT_SPEC(name, settings...): what the object should do; settings are read by Linspect, not by the compiler. */
#define LINSPECT_SPEC(NAME, ...)                                                                   \
    LINSPECT_C void linspect_declare_specification(void) {                                         \
        linspect_specification(#NAME, "" LINSPECT_TEXT_(__VA_ARGS__));                             \
    }
#define LINSPECT_TEXT_(...) #__VA_ARGS__

/* LINSPECT_ALLOW_RACE(data, version): data races on what is called so are meant, as in a seqlock: they are not reported. */
#define LINSPECT_ALLOW_RACE(NAME, ...)                                                             \
    LINSPECT_C void linspect_declare__allow_race_##NAME(void) {                                    \
        linspect_allow_race(LINSPECT_TEXT_(NAME __VA_OPT__(, ) __VA_ARGS__));                      \
    }

/* LINSPECT_PROGRESS(lock_free): whoever runs, some operation returns; obstruction_free: whoever runs alone returns; wait_free: everybody returns,
 * whatever others do. Without it nothing is promised but that threads do not hinder each other for ever. */
#define LINSPECT_PROGRESS(GUARANTEE)                                                               \
    LINSPECT_C void linspect_declare__progress(void) { linspect_progress(#GUARANTEE); }

/* LINSPECT_SETTINGS(budget = 10s, preemptions = 2): how far to go, for a harness or a program with a main: budget, preemptions, threads, operations,
 * executions, memory (sc or c20), allocator (reuse, fresh or both), cpus, random, leaks (true or false), races (fail or note). An option on the command line wins. */
#define LINSPECT_SETTINGS(...)                                                                     \
    LINSPECT_C void linspect_declare__settings(void) {                                             \
        linspect_settings(LINSPECT_TEXT_(__VA_ARGS__));                                            \
    }

/* LINSPECT_SHOW { printf(...); }: prints the object's state for the report; LINSPECT_SHOW_MODEL { ... } that of the model. Runs alone,
 * whenever a step has been made, so it must cope with an object that others are in the middle of changing. */
#define LINSPECT_SHOW LINSPECT_C void linspect_show(void)
#define LINSPECT_SHOW_MODEL LINSPECT_C void linspect_show_model(void)

/* LINSPECT_CLIENT("[push(1)] pop | push(2) pop [pop]"): run this client only: a prefix, threads, a suffix. Regression tests have it. */
#define LINSPECT_CLIENT(TEXT)                                                                      \
    LINSPECT_C void linspect_declare__client(void) { linspect_client(TEXT); }

#define LINSPECT_DECLARE_(NAME, ...)                                                               \
    LINSPECT_C void linspect_declare_##NAME(void) {                                                \
        linspect_operation(#NAME, linspect_op_##NAME, __LINE__);                                   \
        __VA_ARGS__                                                                                \
    }
#define LINSPECT_DECLARE_MODEL_(NAME)                                                              \
    LINSPECT_C void linspect_declare_model_##NAME(void) {                                          \
        linspect_model_operation(#NAME, linspect_model_op_##NAME);                                 \
    }
#define LINSPECT_PARAMETER_(PARAMETER, ...) PARAMETER = linspect_argument(0);
#define LINSPECT_PARAMETERS_(FIRST, ...)                                                           \
    FIRST = linspect_argument(0);                                                                  \
    __VA_OPT__(__VA_ARGS__ = linspect_argument(1);)
#define LINSPECT_VALUES_(PARAMETER, ...)                                                           \
    const long long linspect_values[] = {__VA_ARGS__};                                             \
    for (unsigned i = 0; i < sizeof linspect_values / sizeof *linspect_values; i++)                \
        linspect_value(linspect_values[i]);
#define LINSPECT_PAIRS_(...)                                                                       \
    const long long linspect_values[] = {__VA_ARGS__};                                             \
    _Static_assert(sizeof linspect_values / sizeof *linspect_values % 2 == 0,                      \
                   "values come in pairs: one for each of the two parameters");                    \
    for (unsigned i = 0; i + 1 < sizeof linspect_values / sizeof *linspect_values; i += 2)         \
        linspect_value_pair(linspect_values[i], linspect_values[i + 1]);

#endif
