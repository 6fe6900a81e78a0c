// GStreamer 1.22.0, gst/gstatomicqueue.c: a queue of 16 elements that two threads push to and one pops from. What goes in must come out.
// --cflag -I for the headers of GLib and of GStreamer; the few functions of GLib that it calls are below.
#include <linspect.h>
#include <gst/gst.h>
#include <stdlib.h>
gpointer g_malloc(gsize n) { return malloc(n); }
gpointer g_malloc0(gsize n) { return calloc(1, n); }
gpointer g_malloc_n(gsize a, gsize b) { return malloc(a * b); }
gpointer g_malloc0_n(gsize a, gsize b) { return calloc(a, b); }
void g_free(gpointer p) { free(p); }
void g_return_if_fail_warning(const char *a, const char *b, const char *c) { abort(); }
#include <assert.h>
static GstAtomicQueue *q;
static int in, out; /* each thread's own would do; read only when all is over */
LINSPECT_SETUP { q = gst_atomic_queue_new(16); for (long i = 1; i <= 16; i++) gst_atomic_queue_push(q, (gpointer)(100 + i)); in = 16; out = 0; }
LINSPECT_OP(push, (gst_atomic_queue_push(q, (gpointer)(long)v), __atomic_fetch_add(&in, 1, __ATOMIC_RELAXED)), int v, 1)
LINSPECT_OP_BODY(pop) { long v = (long)gst_atomic_queue_pop(q); if (v) __atomic_fetch_add(&out, 1, __ATOMIC_RELAXED); linspect_return_int(v); }
LINSPECT_OP_BODY(pop17) { for (int i = 0; i < 17; i++) if (gst_atomic_queue_pop(q)) __atomic_fetch_add(&out, 1, __ATOMIC_RELAXED); }
LINSPECT_TEARDOWN { while (gst_atomic_queue_pop(q)) out++; assert(in == out); }
