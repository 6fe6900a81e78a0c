// Each announces itself, and waits while the other is there, without ever stepping back.
#include <atomic>
#include <linspect.h>

static std::atomic<bool> left_wants, right_wants;

static int left() {
    left_wants = true;
    while (right_wants) {
    }
    left_wants = false;
    return 0;
}

static int right() {
    right_wants = true;
    while (left_wants) {
    }
    right_wants = false;
    return 0;
}

LINSPECT_SETUP { left_wants = right_wants = false; }
LINSPECT_OP(left, left())
LINSPECT_OP(right, right())
