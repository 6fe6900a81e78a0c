// verdict: DEADLOCK
// client: put(1) put(1) | take | take
#include <linspect.h>
#include <threads.h>
static mtx_t m; static cnd_t ne, nf; static int q[1]; static int n;
static void put(int v) { mtx_lock(&m); while (n == 1) cnd_wait(&ne, &m); q[0] = v; n = 1; cnd_signal(&ne); mtx_unlock(&m); }
static int take(void) { mtx_lock(&m); while (n == 0) cnd_wait(&ne, &m); int v = q[0]; n = 0; cnd_signal(&ne); mtx_unlock(&m); return v; }
LINSPECT_SETUP { mtx_init(&m, mtx_plain); cnd_init(&ne); n = 0; }
LINSPECT_OP(put, put(v), int v, 1, 2)
LINSPECT_OP_RET(int, take, take())
