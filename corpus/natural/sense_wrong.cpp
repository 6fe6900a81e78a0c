// verdict: LIVELOCK
// client: wait wait | wait wait
#include <linspect.h>
#include <atomic>
static std::atomic<int> count; static std::atomic<bool> sense;
static bool wait_() { bool s = !sense.load(); if (count.fetch_sub(1) == 1) { sense = s; count = 2; return true; } while (sense.load() != s) {} return false; }
LINSPECT_SETUP { count = 2; sense = false; }
LINSPECT_OP_RET(bool, wait, wait_())
