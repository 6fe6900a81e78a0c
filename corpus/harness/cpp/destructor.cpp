// An object that is a variable: its destructor runs at the end.
#include <cassert>
#include <linspect.h>

struct Gate {
    bool open = false;
    ~Gate() { assert(!open); }
};

static Gate gate;
LINSPECT_SETUP { gate.open = false; }
LINSPECT_OP(enter, gate.open = true)
LINSPECT_OP(leave, gate.open = false)
