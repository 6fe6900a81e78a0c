// Litmus tests: each thread of a test is an operation, which returns what it read as digits. Which executions there are stands in expected.txt.
#include <linspect.h>
#include <stdatomic.h>

static atomic_int x, y, z, f, l;

static int run_mp_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_mp_1(void) {
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_rel_acq_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_mp_rel_acq_1(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_rel_rlx_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_mp_rel_rlx_1(void) {
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_rlx_acq_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_mp_rlx_acq_1(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_fences_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_mp_fences_1(void) {
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_rel_fence_acq_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_mp_rel_fence_acq_1(void) {
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_fence_rel_acq_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_mp_fence_rel_acq_1(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_wrong_fences_0(void) {
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_mp_wrong_fences_1(void) {
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    return 10 * (a) + b;
}

static int run_mp_rel_then_rlx_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    return 0;
}

static int run_mp_rel_then_rlx_1(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_rel_then_rmw_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    int c = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    return c;
}

static int run_mp_rel_then_rmw_1(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_rmw_by_other_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_mp_rmw_by_other_1(void) {
    int c = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    return c;
}

static int run_mp_rmw_by_other_2(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_two_rmws_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_mp_two_rmws_1(void) {
    int c = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    int d = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    return 10 * (c) + d;
}

static int run_mp_two_rmws_2(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_store_by_other_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_mp_store_by_other_1(void) {
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    return 0;
}

static int run_mp_store_by_other_2(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_mp_sc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    return 0;
}

static int run_mp_sc_1(void) {
    int a = atomic_load_explicit(&y, memory_order_seq_cst);
    int b = atomic_load_explicit(&x, memory_order_seq_cst);
    return 10 * (a) + b;
}

static int run_sb_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    return a;
}

static int run_sb_1(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return b;
}

static int run_sb_rel_acq_0(void) {
    atomic_store_explicit(&x, 1, memory_order_release);
    int a = atomic_load_explicit(&y, memory_order_acquire);
    return a;
}

static int run_sb_rel_acq_1(void) {
    atomic_store_explicit(&y, 1, memory_order_release);
    int b = atomic_load_explicit(&x, memory_order_acquire);
    return b;
}

static int run_sb_sc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    int a = atomic_load_explicit(&y, memory_order_seq_cst);
    return a;
}

static int run_sb_sc_1(void) {
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    int b = atomic_load_explicit(&x, memory_order_seq_cst);
    return b;
}

static int run_sb_sc_fences_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    return a;
}

static int run_sb_sc_fences_1(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return b;
}

static int run_sb_one_fence_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    return a;
}

static int run_sb_one_fence_1(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return b;
}

static int run_sb_ar_fences_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_acq_rel);
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    return a;
}

static int run_sb_ar_fences_1(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_acq_rel);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return b;
}

static int run_sb_rmws_0(void) {
    int c = atomic_fetch_add_explicit(&x, 1, memory_order_acq_rel);
    int a = atomic_load_explicit(&y, memory_order_acquire);
    return 10 * (c) + a;
}

static int run_sb_rmws_1(void) {
    int d = atomic_fetch_add_explicit(&y, 1, memory_order_acq_rel);
    int b = atomic_load_explicit(&x, memory_order_acquire);
    return 10 * (d) + b;
}

static int run_sb_xchg_sc_0(void) {
    int c = atomic_exchange_explicit(&x, 1, memory_order_seq_cst);
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    return 10 * (c) + a;
}

static int run_sb_xchg_sc_1(void) {
    int d = atomic_exchange_explicit(&y, 1, memory_order_seq_cst);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (d) + b;
}

static int run_sb_sc_stores_0(void) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    return a;
}

static int run_sb_sc_stores_1(void) {
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return b;
}

static int run_sb3_sc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    int a = atomic_load_explicit(&y, memory_order_seq_cst);
    return a;
}

static int run_sb3_sc_1(void) {
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    int b = atomic_load_explicit(&z, memory_order_seq_cst);
    return b;
}

static int run_sb3_sc_2(void) {
    atomic_store_explicit(&z, 1, memory_order_seq_cst);
    int c = atomic_load_explicit(&x, memory_order_seq_cst);
    return c;
}

static int run_lb_0(void) {
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return a;
}

static int run_lb_1(void) {
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return b;
}

static int run_lb_acq_0(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return a;
}

static int run_lb_acq_1(void) {
    int b = atomic_load_explicit(&x, memory_order_acquire);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return b;
}

static int run_two_two_w_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    return 0;
}

static int run_two_two_w_1(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

static int run_two_two_w_rel_0(void) {
    atomic_store_explicit(&x, 1, memory_order_release);
    atomic_store_explicit(&y, 2, memory_order_release);
    return 0;
}

static int run_two_two_w_rel_1(void) {
    atomic_store_explicit(&y, 1, memory_order_release);
    atomic_store_explicit(&x, 2, memory_order_release);
    return 0;
}

static int run_two_two_w_sc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 2, memory_order_seq_cst);
    return 0;
}

static int run_two_two_w_sc_1(void) {
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    atomic_store_explicit(&x, 2, memory_order_seq_cst);
    return 0;
}

static int run_two_two_w_sc_fences_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    return 0;
}

static int run_two_two_w_sc_fences_1(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

static int run_s_0(void) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_s_1(void) {
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return a;
}

static int run_s_rel_acq_0(void) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_s_rel_acq_1(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return a;
}

static int run_r_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_r_1(void) {
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    return a;
}

static int run_r_sc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    return 0;
}

static int run_r_sc_1(void) {
    atomic_store_explicit(&y, 2, memory_order_seq_cst);
    int a = atomic_load_explicit(&x, memory_order_seq_cst);
    return a;
}

static int run_r_sc_fences_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_r_sc_fences_1(void) {
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    return a;
}

static int run_iriw_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static int run_iriw_1(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_iriw_2(void) {
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    int b = atomic_load_explicit(&y, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_iriw_3(void) {
    int c = atomic_load_explicit(&y, memory_order_relaxed);
    int d = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (c) + d;
}

static int run_iriw_acq_0(void) {
    atomic_store_explicit(&x, 1, memory_order_release);
    return 0;
}

static int run_iriw_acq_1(void) {
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_iriw_acq_2(void) {
    int a = atomic_load_explicit(&x, memory_order_acquire);
    int b = atomic_load_explicit(&y, memory_order_acquire);
    return 10 * (a) + b;
}

static int run_iriw_acq_3(void) {
    int c = atomic_load_explicit(&y, memory_order_acquire);
    int d = atomic_load_explicit(&x, memory_order_acquire);
    return 10 * (c) + d;
}

static int run_iriw_sc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    return 0;
}

static int run_iriw_sc_1(void) {
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    return 0;
}

static int run_iriw_sc_2(void) {
    int a = atomic_load_explicit(&x, memory_order_seq_cst);
    int b = atomic_load_explicit(&y, memory_order_seq_cst);
    return 10 * (a) + b;
}

static int run_iriw_sc_3(void) {
    int c = atomic_load_explicit(&y, memory_order_seq_cst);
    int d = atomic_load_explicit(&x, memory_order_seq_cst);
    return 10 * (c) + d;
}

static int run_iriw_acq_sc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    return 0;
}

static int run_iriw_acq_sc_1(void) {
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    return 0;
}

static int run_iriw_acq_sc_2(void) {
    int a = atomic_load_explicit(&x, memory_order_acquire);
    int b = atomic_load_explicit(&y, memory_order_seq_cst);
    return 10 * (a) + b;
}

static int run_iriw_acq_sc_3(void) {
    int c = atomic_load_explicit(&y, memory_order_acquire);
    int d = atomic_load_explicit(&x, memory_order_seq_cst);
    return 10 * (c) + d;
}

static int run_iriw_sc_fences_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static int run_iriw_sc_fences_1(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_iriw_sc_fences_2(void) {
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&y, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_iriw_sc_fences_3(void) {
    int c = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int d = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (c) + d;
}

static int run_wrc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static int run_wrc_1(void) {
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return a;
}

static int run_wrc_2(void) {
    int b = atomic_load_explicit(&y, memory_order_relaxed);
    int c = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (b) + c;
}

static int run_wrc_rel_acq_0(void) {
    atomic_store_explicit(&x, 1, memory_order_release);
    return 0;
}

static int run_wrc_rel_acq_1(void) {
    int a = atomic_load_explicit(&x, memory_order_acquire);
    atomic_store_explicit(&y, 1, memory_order_release);
    return a;
}

static int run_wrc_rel_acq_2(void) {
    int b = atomic_load_explicit(&y, memory_order_acquire);
    int c = atomic_load_explicit(&x, memory_order_acquire);
    return 10 * (b) + c;
}

static int run_isa2_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_isa2_1(void) {
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&z, 1, memory_order_relaxed);
    return a;
}

static int run_isa2_2(void) {
    int b = atomic_load_explicit(&z, memory_order_relaxed);
    int c = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (b) + c;
}

static int run_isa2_rel_acq_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_isa2_rel_acq_1(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    atomic_store_explicit(&z, 1, memory_order_release);
    return a;
}

static int run_isa2_rel_acq_2(void) {
    int b = atomic_load_explicit(&z, memory_order_acquire);
    int c = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (b) + c;
}

static int run_rwc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static int run_rwc_1(void) {
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    int b = atomic_load_explicit(&y, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_rwc_2(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    int c = atomic_load_explicit(&x, memory_order_relaxed);
    return c;
}

static int run_rwc_sc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    return 0;
}

static int run_rwc_sc_1(void) {
    int a = atomic_load_explicit(&x, memory_order_seq_cst);
    int b = atomic_load_explicit(&y, memory_order_seq_cst);
    return 10 * (a) + b;
}

static int run_rwc_sc_2(void) {
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    int c = atomic_load_explicit(&x, memory_order_seq_cst);
    return c;
}

static int run_w_rwc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&z, 1, memory_order_release);
    return 0;
}

static int run_w_rwc_1(void) {
    int a = atomic_load_explicit(&z, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&y, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_w_rwc_2(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int c = atomic_load_explicit(&x, memory_order_relaxed);
    return c;
}

static int run_corr_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

static int run_corr_1(void) {
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_corr2_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return 0;
}

static int run_corr2_1(void) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

static int run_corr2_2(void) {
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_corr2_3(void) {
    int c = atomic_load_explicit(&x, memory_order_relaxed);
    int d = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (c) + d;
}

static int run_cowr_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    return a;
}

static int run_cowr_1(void) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

static int run_corw_0(void) {
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return a;
}

static int run_corw_1(void) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

static int run_coww_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    return 0;
}

static int run_coww_1(void) {
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    return a;
}

static int run_z6_u_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_z6_u_1(void) {
    int a = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&z, 1, memory_order_relaxed);
    return a;
}

static int run_z6_u_2(void) {
    atomic_store_explicit(&z, 2, memory_order_seq_cst);
    int b = atomic_load_explicit(&x, memory_order_seq_cst);
    return b;
}

static int run_z6_u_sc_0(void) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_z6_u_sc_1(void) {
    int a = atomic_fetch_add_explicit(&y, 1, memory_order_seq_cst);
    int b = atomic_load_explicit(&y, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_z6_u_sc_2(void) {
    atomic_store_explicit(&y, 3, memory_order_seq_cst);
    int c = atomic_load_explicit(&x, memory_order_seq_cst);
    return c;
}

static int run_rmw_chain_0(void) {
    int a = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return a;
}

static int run_rmw_chain_1(void) {
    int b = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return b;
}

static int run_rmw_chain_2(void) {
    int c = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return c;
}

static int run_rmw_and_store_0(void) {
    int a = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return a;
}

static int run_rmw_and_store_1(void) {
    atomic_store_explicit(&x, 5, memory_order_relaxed);
    return 0;
}

static int run_rmw_and_store_2(void) {
    int b = atomic_load_explicit(&x, memory_order_relaxed);
    return b;
}

static int run_cas_race_0(void) {
    int a = 0;
    atomic_compare_exchange_strong_explicit(&x, &a, 1, memory_order_acq_rel,
                                            memory_order_acquire);
    return a;
}

static int run_cas_race_1(void) {
    int b = 0;
    atomic_compare_exchange_strong_explicit(&x, &b, 2, memory_order_acq_rel,
                                            memory_order_acquire);
    return b;
}

static int run_cas_fail_acq_0(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_release);
    return 0;
}

static int run_cas_fail_acq_1(void) {
    int a = 0;
    atomic_compare_exchange_strong_explicit(&x, &a, 2, memory_order_relaxed,
                                            memory_order_acquire);
    int b = atomic_load_explicit(&y, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_cas_fail_rlx_0(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_release);
    return 0;
}

static int run_cas_fail_rlx_1(void) {
    int a = 0;
    atomic_compare_exchange_strong_explicit(&x, &a, 2, memory_order_relaxed,
                                            memory_order_relaxed);
    int b = atomic_load_explicit(&y, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_cas_lock_0(void) {
    int a = 0;
    atomic_compare_exchange_strong_explicit(&l, &a, 1, memory_order_acquire,
                                            memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&l, 0, memory_order_release);
    return a;
}

static int run_cas_lock_1(void) {
    int b = 0;
    atomic_compare_exchange_strong_explicit(&l, &b, 1, memory_order_acquire,
                                            memory_order_relaxed);
    int c = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&l, 0, memory_order_release);
    return 10 * (b) + c;
}

static int run_dekker_rmw_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    int a = atomic_fetch_add_explicit(&f, 0, memory_order_seq_cst);
    int b = atomic_load_explicit(&y, memory_order_relaxed);
    return 10 * (a) + b;
}

static int run_dekker_rmw_1(void) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    int c = atomic_fetch_add_explicit(&f, 0, memory_order_seq_cst);
    int d = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (c) + d;
}

static int run_fence_chain_0(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}

static int run_fence_chain_1(void) {
    int a = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_store_explicit(&z, 1, memory_order_relaxed);
    return a;
}

static int run_fence_chain_2(void) {
    int b = atomic_load_explicit(&z, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    int c = atomic_load_explicit(&x, memory_order_relaxed);
    return 10 * (b) + c;
}

static int run_psc_mixed_0(void) {
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

static int run_psc_mixed_1(void) {
    int a = atomic_load_explicit(&y, memory_order_acquire);
    int b = atomic_load_explicit(&z, memory_order_seq_cst);
    return 10 * (a) + b;
}

static int run_psc_mixed_2(void) {
    atomic_store_explicit(&z, 1, memory_order_seq_cst);
    int c = atomic_load_explicit(&x, memory_order_seq_cst);
    return c;
}

LINSPECT_OP_RET(int, mp_0, run_mp_0())
LINSPECT_OP_RET(int, mp_1, run_mp_1())
LINSPECT_OP_RET(int, mp_rel_acq_0, run_mp_rel_acq_0())
LINSPECT_OP_RET(int, mp_rel_acq_1, run_mp_rel_acq_1())
LINSPECT_OP_RET(int, mp_rel_rlx_0, run_mp_rel_rlx_0())
LINSPECT_OP_RET(int, mp_rel_rlx_1, run_mp_rel_rlx_1())
LINSPECT_OP_RET(int, mp_rlx_acq_0, run_mp_rlx_acq_0())
LINSPECT_OP_RET(int, mp_rlx_acq_1, run_mp_rlx_acq_1())
LINSPECT_OP_RET(int, mp_fences_0, run_mp_fences_0())
LINSPECT_OP_RET(int, mp_fences_1, run_mp_fences_1())
LINSPECT_OP_RET(int, mp_rel_fence_acq_0, run_mp_rel_fence_acq_0())
LINSPECT_OP_RET(int, mp_rel_fence_acq_1, run_mp_rel_fence_acq_1())
LINSPECT_OP_RET(int, mp_fence_rel_acq_0, run_mp_fence_rel_acq_0())
LINSPECT_OP_RET(int, mp_fence_rel_acq_1, run_mp_fence_rel_acq_1())
LINSPECT_OP_RET(int, mp_wrong_fences_0, run_mp_wrong_fences_0())
LINSPECT_OP_RET(int, mp_wrong_fences_1, run_mp_wrong_fences_1())
LINSPECT_OP_RET(int, mp_rel_then_rlx_0, run_mp_rel_then_rlx_0())
LINSPECT_OP_RET(int, mp_rel_then_rlx_1, run_mp_rel_then_rlx_1())
LINSPECT_OP_RET(int, mp_rel_then_rmw_0, run_mp_rel_then_rmw_0())
LINSPECT_OP_RET(int, mp_rel_then_rmw_1, run_mp_rel_then_rmw_1())
LINSPECT_OP_RET(int, mp_rmw_by_other_0, run_mp_rmw_by_other_0())
LINSPECT_OP_RET(int, mp_rmw_by_other_1, run_mp_rmw_by_other_1())
LINSPECT_OP_RET(int, mp_rmw_by_other_2, run_mp_rmw_by_other_2())
LINSPECT_OP_RET(int, mp_two_rmws_0, run_mp_two_rmws_0())
LINSPECT_OP_RET(int, mp_two_rmws_1, run_mp_two_rmws_1())
LINSPECT_OP_RET(int, mp_two_rmws_2, run_mp_two_rmws_2())
LINSPECT_OP_RET(int, mp_store_by_other_0, run_mp_store_by_other_0())
LINSPECT_OP_RET(int, mp_store_by_other_1, run_mp_store_by_other_1())
LINSPECT_OP_RET(int, mp_store_by_other_2, run_mp_store_by_other_2())
LINSPECT_OP_RET(int, mp_sc_0, run_mp_sc_0())
LINSPECT_OP_RET(int, mp_sc_1, run_mp_sc_1())
LINSPECT_OP_RET(int, sb_0, run_sb_0())
LINSPECT_OP_RET(int, sb_1, run_sb_1())
LINSPECT_OP_RET(int, sb_rel_acq_0, run_sb_rel_acq_0())
LINSPECT_OP_RET(int, sb_rel_acq_1, run_sb_rel_acq_1())
LINSPECT_OP_RET(int, sb_sc_0, run_sb_sc_0())
LINSPECT_OP_RET(int, sb_sc_1, run_sb_sc_1())
LINSPECT_OP_RET(int, sb_sc_fences_0, run_sb_sc_fences_0())
LINSPECT_OP_RET(int, sb_sc_fences_1, run_sb_sc_fences_1())
LINSPECT_OP_RET(int, sb_one_fence_0, run_sb_one_fence_0())
LINSPECT_OP_RET(int, sb_one_fence_1, run_sb_one_fence_1())
LINSPECT_OP_RET(int, sb_ar_fences_0, run_sb_ar_fences_0())
LINSPECT_OP_RET(int, sb_ar_fences_1, run_sb_ar_fences_1())
LINSPECT_OP_RET(int, sb_rmws_0, run_sb_rmws_0())
LINSPECT_OP_RET(int, sb_rmws_1, run_sb_rmws_1())
LINSPECT_OP_RET(int, sb_xchg_sc_0, run_sb_xchg_sc_0())
LINSPECT_OP_RET(int, sb_xchg_sc_1, run_sb_xchg_sc_1())
LINSPECT_OP_RET(int, sb_sc_stores_0, run_sb_sc_stores_0())
LINSPECT_OP_RET(int, sb_sc_stores_1, run_sb_sc_stores_1())
LINSPECT_OP_RET(int, sb3_sc_0, run_sb3_sc_0())
LINSPECT_OP_RET(int, sb3_sc_1, run_sb3_sc_1())
LINSPECT_OP_RET(int, sb3_sc_2, run_sb3_sc_2())
LINSPECT_OP_RET(int, lb_0, run_lb_0())
LINSPECT_OP_RET(int, lb_1, run_lb_1())
LINSPECT_OP_RET(int, lb_acq_0, run_lb_acq_0())
LINSPECT_OP_RET(int, lb_acq_1, run_lb_acq_1())
LINSPECT_OP_RET(int, two_two_w_0, run_two_two_w_0())
LINSPECT_OP_RET(int, two_two_w_1, run_two_two_w_1())
LINSPECT_OP_RET(int, two_two_w_rel_0, run_two_two_w_rel_0())
LINSPECT_OP_RET(int, two_two_w_rel_1, run_two_two_w_rel_1())
LINSPECT_OP_RET(int, two_two_w_sc_0, run_two_two_w_sc_0())
LINSPECT_OP_RET(int, two_two_w_sc_1, run_two_two_w_sc_1())
LINSPECT_OP_RET(int, two_two_w_sc_fences_0, run_two_two_w_sc_fences_0())
LINSPECT_OP_RET(int, two_two_w_sc_fences_1, run_two_two_w_sc_fences_1())
LINSPECT_OP_RET(int, s_0, run_s_0())
LINSPECT_OP_RET(int, s_1, run_s_1())
LINSPECT_OP_RET(int, s_rel_acq_0, run_s_rel_acq_0())
LINSPECT_OP_RET(int, s_rel_acq_1, run_s_rel_acq_1())
LINSPECT_OP_RET(int, r_0, run_r_0())
LINSPECT_OP_RET(int, r_1, run_r_1())
LINSPECT_OP_RET(int, r_sc_0, run_r_sc_0())
LINSPECT_OP_RET(int, r_sc_1, run_r_sc_1())
LINSPECT_OP_RET(int, r_sc_fences_0, run_r_sc_fences_0())
LINSPECT_OP_RET(int, r_sc_fences_1, run_r_sc_fences_1())
LINSPECT_OP_RET(int, iriw_0, run_iriw_0())
LINSPECT_OP_RET(int, iriw_1, run_iriw_1())
LINSPECT_OP_RET(int, iriw_2, run_iriw_2())
LINSPECT_OP_RET(int, iriw_3, run_iriw_3())
LINSPECT_OP_RET(int, iriw_acq_0, run_iriw_acq_0())
LINSPECT_OP_RET(int, iriw_acq_1, run_iriw_acq_1())
LINSPECT_OP_RET(int, iriw_acq_2, run_iriw_acq_2())
LINSPECT_OP_RET(int, iriw_acq_3, run_iriw_acq_3())
LINSPECT_OP_RET(int, iriw_sc_0, run_iriw_sc_0())
LINSPECT_OP_RET(int, iriw_sc_1, run_iriw_sc_1())
LINSPECT_OP_RET(int, iriw_sc_2, run_iriw_sc_2())
LINSPECT_OP_RET(int, iriw_sc_3, run_iriw_sc_3())
LINSPECT_OP_RET(int, iriw_acq_sc_0, run_iriw_acq_sc_0())
LINSPECT_OP_RET(int, iriw_acq_sc_1, run_iriw_acq_sc_1())
LINSPECT_OP_RET(int, iriw_acq_sc_2, run_iriw_acq_sc_2())
LINSPECT_OP_RET(int, iriw_acq_sc_3, run_iriw_acq_sc_3())
LINSPECT_OP_RET(int, iriw_sc_fences_0, run_iriw_sc_fences_0())
LINSPECT_OP_RET(int, iriw_sc_fences_1, run_iriw_sc_fences_1())
LINSPECT_OP_RET(int, iriw_sc_fences_2, run_iriw_sc_fences_2())
LINSPECT_OP_RET(int, iriw_sc_fences_3, run_iriw_sc_fences_3())
LINSPECT_OP_RET(int, wrc_0, run_wrc_0())
LINSPECT_OP_RET(int, wrc_1, run_wrc_1())
LINSPECT_OP_RET(int, wrc_2, run_wrc_2())
LINSPECT_OP_RET(int, wrc_rel_acq_0, run_wrc_rel_acq_0())
LINSPECT_OP_RET(int, wrc_rel_acq_1, run_wrc_rel_acq_1())
LINSPECT_OP_RET(int, wrc_rel_acq_2, run_wrc_rel_acq_2())
LINSPECT_OP_RET(int, isa2_0, run_isa2_0())
LINSPECT_OP_RET(int, isa2_1, run_isa2_1())
LINSPECT_OP_RET(int, isa2_2, run_isa2_2())
LINSPECT_OP_RET(int, isa2_rel_acq_0, run_isa2_rel_acq_0())
LINSPECT_OP_RET(int, isa2_rel_acq_1, run_isa2_rel_acq_1())
LINSPECT_OP_RET(int, isa2_rel_acq_2, run_isa2_rel_acq_2())
LINSPECT_OP_RET(int, rwc_0, run_rwc_0())
LINSPECT_OP_RET(int, rwc_1, run_rwc_1())
LINSPECT_OP_RET(int, rwc_2, run_rwc_2())
LINSPECT_OP_RET(int, rwc_sc_0, run_rwc_sc_0())
LINSPECT_OP_RET(int, rwc_sc_1, run_rwc_sc_1())
LINSPECT_OP_RET(int, rwc_sc_2, run_rwc_sc_2())
LINSPECT_OP_RET(int, w_rwc_0, run_w_rwc_0())
LINSPECT_OP_RET(int, w_rwc_1, run_w_rwc_1())
LINSPECT_OP_RET(int, w_rwc_2, run_w_rwc_2())
LINSPECT_OP_RET(int, corr_0, run_corr_0())
LINSPECT_OP_RET(int, corr_1, run_corr_1())
LINSPECT_OP_RET(int, corr2_0, run_corr2_0())
LINSPECT_OP_RET(int, corr2_1, run_corr2_1())
LINSPECT_OP_RET(int, corr2_2, run_corr2_2())
LINSPECT_OP_RET(int, corr2_3, run_corr2_3())
LINSPECT_OP_RET(int, cowr_0, run_cowr_0())
LINSPECT_OP_RET(int, cowr_1, run_cowr_1())
LINSPECT_OP_RET(int, corw_0, run_corw_0())
LINSPECT_OP_RET(int, corw_1, run_corw_1())
LINSPECT_OP_RET(int, coww_0, run_coww_0())
LINSPECT_OP_RET(int, coww_1, run_coww_1())
LINSPECT_OP_RET(int, z6_u_0, run_z6_u_0())
LINSPECT_OP_RET(int, z6_u_1, run_z6_u_1())
LINSPECT_OP_RET(int, z6_u_2, run_z6_u_2())
LINSPECT_OP_RET(int, z6_u_sc_0, run_z6_u_sc_0())
LINSPECT_OP_RET(int, z6_u_sc_1, run_z6_u_sc_1())
LINSPECT_OP_RET(int, z6_u_sc_2, run_z6_u_sc_2())
LINSPECT_OP_RET(int, rmw_chain_0, run_rmw_chain_0())
LINSPECT_OP_RET(int, rmw_chain_1, run_rmw_chain_1())
LINSPECT_OP_RET(int, rmw_chain_2, run_rmw_chain_2())
LINSPECT_OP_RET(int, rmw_and_store_0, run_rmw_and_store_0())
LINSPECT_OP_RET(int, rmw_and_store_1, run_rmw_and_store_1())
LINSPECT_OP_RET(int, rmw_and_store_2, run_rmw_and_store_2())
LINSPECT_OP_RET(int, cas_race_0, run_cas_race_0())
LINSPECT_OP_RET(int, cas_race_1, run_cas_race_1())
LINSPECT_OP_RET(int, cas_fail_acq_0, run_cas_fail_acq_0())
LINSPECT_OP_RET(int, cas_fail_acq_1, run_cas_fail_acq_1())
LINSPECT_OP_RET(int, cas_fail_rlx_0, run_cas_fail_rlx_0())
LINSPECT_OP_RET(int, cas_fail_rlx_1, run_cas_fail_rlx_1())
LINSPECT_OP_RET(int, cas_lock_0, run_cas_lock_0())
LINSPECT_OP_RET(int, cas_lock_1, run_cas_lock_1())
LINSPECT_OP_RET(int, dekker_rmw_0, run_dekker_rmw_0())
LINSPECT_OP_RET(int, dekker_rmw_1, run_dekker_rmw_1())
LINSPECT_OP_RET(int, fence_chain_0, run_fence_chain_0())
LINSPECT_OP_RET(int, fence_chain_1, run_fence_chain_1())
LINSPECT_OP_RET(int, fence_chain_2, run_fence_chain_2())
LINSPECT_OP_RET(int, psc_mixed_0, run_psc_mixed_0())
LINSPECT_OP_RET(int, psc_mixed_1, run_psc_mixed_1())
LINSPECT_OP_RET(int, psc_mixed_2, run_psc_mixed_2())
