#include <linspect.h>
#include <mutex>
#include <vector>

struct Stack {
    std::mutex mutex;
    std::vector<int> values;

    void push(int value) {
        std::lock_guard<std::mutex> guard(mutex);
        values.push_back(value);
    }

    int pop() {
        if (empty())
            return -1;
        std::lock_guard<std::mutex> guard(mutex);
        int value = values.back();
        values.pop_back();
        return value;
    }

    bool empty() {
        std::lock_guard<std::mutex> guard(mutex);
        return values.empty();
    }
};

static Stack *stack;
LINSPECT_SETUP { stack = new Stack; }
LINSPECT_OP(push, stack->push(value), int value, 1, 2)
LINSPECT_OP_RET(int, pop, stack->pop())
LINSPECT_SPEC(stack, .empty = -1)
