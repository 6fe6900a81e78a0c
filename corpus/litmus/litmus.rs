//! Litmus tests: each thread of a test is an operation, which returns what it read as digits. Which executions there are stands in expected.txt.

use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::fence;

#[derive(Default)]
pub struct Cells {
    x: AtomicI32,
    y: AtomicI32,
    z: AtomicI32,
    f: AtomicI32,
    l: AtomicI32,
}

fn read(exchanged: Result<i32, i32>) -> i32 {
    exchanged.unwrap_or_else(|old| old)
}

impl Cells {
    pub fn mp_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Relaxed);
        0
    }

    pub fn mp_1(&self) -> i32 {
        let a = self.y.load(Relaxed);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_rel_acq_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Release);
        0
    }

    pub fn mp_rel_acq_1(&self) -> i32 {
        let a = self.y.load(Acquire);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_rel_rlx_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Release);
        0
    }

    pub fn mp_rel_rlx_1(&self) -> i32 {
        let a = self.y.load(Relaxed);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_rlx_acq_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Relaxed);
        0
    }

    pub fn mp_rlx_acq_1(&self) -> i32 {
        let a = self.y.load(Acquire);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_fences_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        fence(Release);
        self.y.store(1, Relaxed);
        0
    }

    pub fn mp_fences_1(&self) -> i32 {
        let a = self.y.load(Relaxed);
        fence(Acquire);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_rel_fence_acq_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Release);
        0
    }

    pub fn mp_rel_fence_acq_1(&self) -> i32 {
        let a = self.y.load(Relaxed);
        fence(Acquire);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_fence_rel_acq_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        fence(Release);
        self.y.store(1, Relaxed);
        0
    }

    pub fn mp_fence_rel_acq_1(&self) -> i32 {
        let a = self.y.load(Acquire);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_wrong_fences_0(&self) -> i32 {
        fence(Release);
        self.x.store(1, Relaxed);
        self.y.store(1, Relaxed);
        0
    }

    pub fn mp_wrong_fences_1(&self) -> i32 {
        let a = self.y.load(Relaxed);
        let b = self.x.load(Relaxed);
        fence(Acquire);
        10 * a + b
    }

    pub fn mp_rel_then_rlx_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Release);
        self.y.store(2, Relaxed);
        0
    }

    pub fn mp_rel_then_rlx_1(&self) -> i32 {
        let a = self.y.load(Acquire);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_rel_then_rmw_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Release);
        let c = self.y.fetch_add(1, Relaxed);
        c
    }

    pub fn mp_rel_then_rmw_1(&self) -> i32 {
        let a = self.y.load(Acquire);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_rmw_by_other_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Release);
        0
    }

    pub fn mp_rmw_by_other_1(&self) -> i32 {
        let c = self.y.fetch_add(1, Relaxed);
        c
    }

    pub fn mp_rmw_by_other_2(&self) -> i32 {
        let a = self.y.load(Acquire);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_two_rmws_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Release);
        0
    }

    pub fn mp_two_rmws_1(&self) -> i32 {
        let c = self.y.fetch_add(1, Relaxed);
        let d = self.y.fetch_add(1, Relaxed);
        10 * c + d
    }

    pub fn mp_two_rmws_2(&self) -> i32 {
        let a = self.y.load(Acquire);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_store_by_other_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Release);
        0
    }

    pub fn mp_store_by_other_1(&self) -> i32 {
        self.y.store(2, Relaxed);
        0
    }

    pub fn mp_store_by_other_2(&self) -> i32 {
        let a = self.y.load(Acquire);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn mp_sc_0(&self) -> i32 {
        self.x.store(1, SeqCst);
        self.y.store(1, SeqCst);
        0
    }

    pub fn mp_sc_1(&self) -> i32 {
        let a = self.y.load(SeqCst);
        let b = self.x.load(SeqCst);
        10 * a + b
    }

    pub fn sb_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        let a = self.y.load(Relaxed);
        a
    }

    pub fn sb_1(&self) -> i32 {
        self.y.store(1, Relaxed);
        let b = self.x.load(Relaxed);
        b
    }

    pub fn sb_rel_acq_0(&self) -> i32 {
        self.x.store(1, Release);
        let a = self.y.load(Acquire);
        a
    }

    pub fn sb_rel_acq_1(&self) -> i32 {
        self.y.store(1, Release);
        let b = self.x.load(Acquire);
        b
    }

    pub fn sb_sc_0(&self) -> i32 {
        self.x.store(1, SeqCst);
        let a = self.y.load(SeqCst);
        a
    }

    pub fn sb_sc_1(&self) -> i32 {
        self.y.store(1, SeqCst);
        let b = self.x.load(SeqCst);
        b
    }

    pub fn sb_sc_fences_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        fence(SeqCst);
        let a = self.y.load(Relaxed);
        a
    }

    pub fn sb_sc_fences_1(&self) -> i32 {
        self.y.store(1, Relaxed);
        fence(SeqCst);
        let b = self.x.load(Relaxed);
        b
    }

    pub fn sb_one_fence_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        fence(SeqCst);
        let a = self.y.load(Relaxed);
        a
    }

    pub fn sb_one_fence_1(&self) -> i32 {
        self.y.store(1, Relaxed);
        let b = self.x.load(Relaxed);
        b
    }

    pub fn sb_ar_fences_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        fence(AcqRel);
        let a = self.y.load(Relaxed);
        a
    }

    pub fn sb_ar_fences_1(&self) -> i32 {
        self.y.store(1, Relaxed);
        fence(AcqRel);
        let b = self.x.load(Relaxed);
        b
    }

    pub fn sb_rmws_0(&self) -> i32 {
        let c = self.x.fetch_add(1, AcqRel);
        let a = self.y.load(Acquire);
        10 * c + a
    }

    pub fn sb_rmws_1(&self) -> i32 {
        let d = self.y.fetch_add(1, AcqRel);
        let b = self.x.load(Acquire);
        10 * d + b
    }

    pub fn sb_xchg_sc_0(&self) -> i32 {
        let c = self.x.swap(1, SeqCst);
        let a = self.y.load(Relaxed);
        10 * c + a
    }

    pub fn sb_xchg_sc_1(&self) -> i32 {
        let d = self.y.swap(1, SeqCst);
        let b = self.x.load(Relaxed);
        10 * d + b
    }

    pub fn sb_sc_stores_0(&self) -> i32 {
        self.x.store(1, SeqCst);
        let a = self.y.load(Relaxed);
        a
    }

    pub fn sb_sc_stores_1(&self) -> i32 {
        self.y.store(1, SeqCst);
        let b = self.x.load(Relaxed);
        b
    }

    pub fn sb3_sc_0(&self) -> i32 {
        self.x.store(1, SeqCst);
        let a = self.y.load(SeqCst);
        a
    }

    pub fn sb3_sc_1(&self) -> i32 {
        self.y.store(1, SeqCst);
        let b = self.z.load(SeqCst);
        b
    }

    pub fn sb3_sc_2(&self) -> i32 {
        self.z.store(1, SeqCst);
        let c = self.x.load(SeqCst);
        c
    }

    pub fn lb_0(&self) -> i32 {
        let a = self.y.load(Relaxed);
        self.x.store(1, Relaxed);
        a
    }

    pub fn lb_1(&self) -> i32 {
        let b = self.x.load(Relaxed);
        self.y.store(1, Relaxed);
        b
    }

    pub fn lb_acq_0(&self) -> i32 {
        let a = self.y.load(Acquire);
        self.x.store(1, Relaxed);
        a
    }

    pub fn lb_acq_1(&self) -> i32 {
        let b = self.x.load(Acquire);
        self.y.store(1, Relaxed);
        b
    }

    pub fn two_two_w_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(2, Relaxed);
        0
    }

    pub fn two_two_w_1(&self) -> i32 {
        self.y.store(1, Relaxed);
        self.x.store(2, Relaxed);
        0
    }

    pub fn two_two_w_rel_0(&self) -> i32 {
        self.x.store(1, Release);
        self.y.store(2, Release);
        0
    }

    pub fn two_two_w_rel_1(&self) -> i32 {
        self.y.store(1, Release);
        self.x.store(2, Release);
        0
    }

    pub fn two_two_w_sc_0(&self) -> i32 {
        self.x.store(1, SeqCst);
        self.y.store(2, SeqCst);
        0
    }

    pub fn two_two_w_sc_1(&self) -> i32 {
        self.y.store(1, SeqCst);
        self.x.store(2, SeqCst);
        0
    }

    pub fn two_two_w_sc_fences_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        fence(SeqCst);
        self.y.store(2, Relaxed);
        0
    }

    pub fn two_two_w_sc_fences_1(&self) -> i32 {
        self.y.store(1, Relaxed);
        fence(SeqCst);
        self.x.store(2, Relaxed);
        0
    }

    pub fn s_0(&self) -> i32 {
        self.x.store(2, Relaxed);
        self.y.store(1, Relaxed);
        0
    }

    pub fn s_1(&self) -> i32 {
        let a = self.y.load(Relaxed);
        self.x.store(1, Relaxed);
        a
    }

    pub fn s_rel_acq_0(&self) -> i32 {
        self.x.store(2, Relaxed);
        self.y.store(1, Release);
        0
    }

    pub fn s_rel_acq_1(&self) -> i32 {
        let a = self.y.load(Acquire);
        self.x.store(1, Relaxed);
        a
    }

    pub fn r_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Relaxed);
        0
    }

    pub fn r_1(&self) -> i32 {
        self.y.store(2, Relaxed);
        let a = self.x.load(Relaxed);
        a
    }

    pub fn r_sc_0(&self) -> i32 {
        self.x.store(1, SeqCst);
        self.y.store(1, SeqCst);
        0
    }

    pub fn r_sc_1(&self) -> i32 {
        self.y.store(2, SeqCst);
        let a = self.x.load(SeqCst);
        a
    }

    pub fn r_sc_fences_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        fence(SeqCst);
        self.y.store(1, Relaxed);
        0
    }

    pub fn r_sc_fences_1(&self) -> i32 {
        self.y.store(2, Relaxed);
        fence(SeqCst);
        let a = self.x.load(Relaxed);
        a
    }

    pub fn iriw_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        0
    }

    pub fn iriw_1(&self) -> i32 {
        self.y.store(1, Relaxed);
        0
    }

    pub fn iriw_2(&self) -> i32 {
        let a = self.x.load(Relaxed);
        let b = self.y.load(Relaxed);
        10 * a + b
    }

    pub fn iriw_3(&self) -> i32 {
        let c = self.y.load(Relaxed);
        let d = self.x.load(Relaxed);
        10 * c + d
    }

    pub fn iriw_acq_0(&self) -> i32 {
        self.x.store(1, Release);
        0
    }

    pub fn iriw_acq_1(&self) -> i32 {
        self.y.store(1, Release);
        0
    }

    pub fn iriw_acq_2(&self) -> i32 {
        let a = self.x.load(Acquire);
        let b = self.y.load(Acquire);
        10 * a + b
    }

    pub fn iriw_acq_3(&self) -> i32 {
        let c = self.y.load(Acquire);
        let d = self.x.load(Acquire);
        10 * c + d
    }

    pub fn iriw_sc_0(&self) -> i32 {
        self.x.store(1, SeqCst);
        0
    }

    pub fn iriw_sc_1(&self) -> i32 {
        self.y.store(1, SeqCst);
        0
    }

    pub fn iriw_sc_2(&self) -> i32 {
        let a = self.x.load(SeqCst);
        let b = self.y.load(SeqCst);
        10 * a + b
    }

    pub fn iriw_sc_3(&self) -> i32 {
        let c = self.y.load(SeqCst);
        let d = self.x.load(SeqCst);
        10 * c + d
    }

    pub fn iriw_acq_sc_0(&self) -> i32 {
        self.x.store(1, SeqCst);
        0
    }

    pub fn iriw_acq_sc_1(&self) -> i32 {
        self.y.store(1, SeqCst);
        0
    }

    pub fn iriw_acq_sc_2(&self) -> i32 {
        let a = self.x.load(Acquire);
        let b = self.y.load(SeqCst);
        10 * a + b
    }

    pub fn iriw_acq_sc_3(&self) -> i32 {
        let c = self.y.load(Acquire);
        let d = self.x.load(SeqCst);
        10 * c + d
    }

    pub fn iriw_sc_fences_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        0
    }

    pub fn iriw_sc_fences_1(&self) -> i32 {
        self.y.store(1, Relaxed);
        0
    }

    pub fn iriw_sc_fences_2(&self) -> i32 {
        let a = self.x.load(Relaxed);
        fence(SeqCst);
        let b = self.y.load(Relaxed);
        10 * a + b
    }

    pub fn iriw_sc_fences_3(&self) -> i32 {
        let c = self.y.load(Relaxed);
        fence(SeqCst);
        let d = self.x.load(Relaxed);
        10 * c + d
    }

    pub fn wrc_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        0
    }

    pub fn wrc_1(&self) -> i32 {
        let a = self.x.load(Relaxed);
        self.y.store(1, Relaxed);
        a
    }

    pub fn wrc_2(&self) -> i32 {
        let b = self.y.load(Relaxed);
        let c = self.x.load(Relaxed);
        10 * b + c
    }

    pub fn wrc_rel_acq_0(&self) -> i32 {
        self.x.store(1, Release);
        0
    }

    pub fn wrc_rel_acq_1(&self) -> i32 {
        let a = self.x.load(Acquire);
        self.y.store(1, Release);
        a
    }

    pub fn wrc_rel_acq_2(&self) -> i32 {
        let b = self.y.load(Acquire);
        let c = self.x.load(Acquire);
        10 * b + c
    }

    pub fn isa2_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Relaxed);
        0
    }

    pub fn isa2_1(&self) -> i32 {
        let a = self.y.load(Relaxed);
        self.z.store(1, Relaxed);
        a
    }

    pub fn isa2_2(&self) -> i32 {
        let b = self.z.load(Relaxed);
        let c = self.x.load(Relaxed);
        10 * b + c
    }

    pub fn isa2_rel_acq_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Release);
        0
    }

    pub fn isa2_rel_acq_1(&self) -> i32 {
        let a = self.y.load(Acquire);
        self.z.store(1, Release);
        a
    }

    pub fn isa2_rel_acq_2(&self) -> i32 {
        let b = self.z.load(Acquire);
        let c = self.x.load(Relaxed);
        10 * b + c
    }

    pub fn rwc_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        0
    }

    pub fn rwc_1(&self) -> i32 {
        let a = self.x.load(Relaxed);
        let b = self.y.load(Relaxed);
        10 * a + b
    }

    pub fn rwc_2(&self) -> i32 {
        self.y.store(1, Relaxed);
        let c = self.x.load(Relaxed);
        c
    }

    pub fn rwc_sc_0(&self) -> i32 {
        self.x.store(1, SeqCst);
        0
    }

    pub fn rwc_sc_1(&self) -> i32 {
        let a = self.x.load(SeqCst);
        let b = self.y.load(SeqCst);
        10 * a + b
    }

    pub fn rwc_sc_2(&self) -> i32 {
        self.y.store(1, SeqCst);
        let c = self.x.load(SeqCst);
        c
    }

    pub fn w_rwc_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.z.store(1, Release);
        0
    }

    pub fn w_rwc_1(&self) -> i32 {
        let a = self.z.load(Acquire);
        fence(SeqCst);
        let b = self.y.load(Relaxed);
        10 * a + b
    }

    pub fn w_rwc_2(&self) -> i32 {
        self.y.store(1, Relaxed);
        fence(SeqCst);
        let c = self.x.load(Relaxed);
        c
    }

    pub fn corr_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.x.store(2, Relaxed);
        0
    }

    pub fn corr_1(&self) -> i32 {
        let a = self.x.load(Relaxed);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn corr2_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        0
    }

    pub fn corr2_1(&self) -> i32 {
        self.x.store(2, Relaxed);
        0
    }

    pub fn corr2_2(&self) -> i32 {
        let a = self.x.load(Relaxed);
        let b = self.x.load(Relaxed);
        10 * a + b
    }

    pub fn corr2_3(&self) -> i32 {
        let c = self.x.load(Relaxed);
        let d = self.x.load(Relaxed);
        10 * c + d
    }

    pub fn cowr_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        let a = self.x.load(Relaxed);
        a
    }

    pub fn cowr_1(&self) -> i32 {
        self.x.store(2, Relaxed);
        0
    }

    pub fn corw_0(&self) -> i32 {
        let a = self.x.load(Relaxed);
        self.x.store(1, Relaxed);
        a
    }

    pub fn corw_1(&self) -> i32 {
        self.x.store(2, Relaxed);
        0
    }

    pub fn coww_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.x.store(2, Relaxed);
        0
    }

    pub fn coww_1(&self) -> i32 {
        let a = self.x.load(Relaxed);
        a
    }

    pub fn z6_u_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Release);
        0
    }

    pub fn z6_u_1(&self) -> i32 {
        let a = self.y.fetch_add(1, Relaxed);
        self.z.store(1, Relaxed);
        a
    }

    pub fn z6_u_2(&self) -> i32 {
        self.z.store(2, SeqCst);
        let b = self.x.load(SeqCst);
        b
    }

    pub fn z6_u_sc_0(&self) -> i32 {
        self.x.store(1, SeqCst);
        self.y.store(1, Release);
        0
    }

    pub fn z6_u_sc_1(&self) -> i32 {
        let a = self.y.fetch_add(1, SeqCst);
        let b = self.y.load(Relaxed);
        10 * a + b
    }

    pub fn z6_u_sc_2(&self) -> i32 {
        self.y.store(3, SeqCst);
        let c = self.x.load(SeqCst);
        c
    }

    pub fn rmw_chain_0(&self) -> i32 {
        let a = self.x.fetch_add(1, Relaxed);
        a
    }

    pub fn rmw_chain_1(&self) -> i32 {
        let b = self.x.fetch_add(1, Relaxed);
        b
    }

    pub fn rmw_chain_2(&self) -> i32 {
        let c = self.x.fetch_add(1, Relaxed);
        c
    }

    pub fn rmw_and_store_0(&self) -> i32 {
        let a = self.x.fetch_add(1, Relaxed);
        a
    }

    pub fn rmw_and_store_1(&self) -> i32 {
        self.x.store(5, Relaxed);
        0
    }

    pub fn rmw_and_store_2(&self) -> i32 {
        let b = self.x.load(Relaxed);
        b
    }

    pub fn cas_race_0(&self) -> i32 {
        let a = read(self.x.compare_exchange(0, 1, AcqRel, Acquire));
        a
    }

    pub fn cas_race_1(&self) -> i32 {
        let b = read(self.x.compare_exchange(0, 2, AcqRel, Acquire));
        b
    }

    pub fn cas_fail_acq_0(&self) -> i32 {
        self.y.store(1, Relaxed);
        self.x.store(1, Release);
        0
    }

    pub fn cas_fail_acq_1(&self) -> i32 {
        let a = read(self.x.compare_exchange(0, 2, Relaxed, Acquire));
        let b = self.y.load(Relaxed);
        10 * a + b
    }

    pub fn cas_fail_rlx_0(&self) -> i32 {
        self.y.store(1, Relaxed);
        self.x.store(1, Release);
        0
    }

    pub fn cas_fail_rlx_1(&self) -> i32 {
        let a = read(self.x.compare_exchange(0, 2, Relaxed, Relaxed));
        let b = self.y.load(Relaxed);
        10 * a + b
    }

    pub fn cas_lock_0(&self) -> i32 {
        let a = read(self.l.compare_exchange(0, 1, Acquire, Relaxed));
        self.x.store(1, Relaxed);
        self.l.store(0, Release);
        a
    }

    pub fn cas_lock_1(&self) -> i32 {
        let b = read(self.l.compare_exchange(0, 1, Acquire, Relaxed));
        let c = self.x.load(Relaxed);
        self.l.store(0, Release);
        10 * b + c
    }

    pub fn dekker_rmw_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        let a = self.f.fetch_add(0, SeqCst);
        let b = self.y.load(Relaxed);
        10 * a + b
    }

    pub fn dekker_rmw_1(&self) -> i32 {
        self.y.store(1, Relaxed);
        let c = self.f.fetch_add(0, SeqCst);
        let d = self.x.load(Relaxed);
        10 * c + d
    }

    pub fn fence_chain_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        fence(Release);
        self.y.store(1, Relaxed);
        0
    }

    pub fn fence_chain_1(&self) -> i32 {
        let a = self.y.load(Relaxed);
        fence(AcqRel);
        self.z.store(1, Relaxed);
        a
    }

    pub fn fence_chain_2(&self) -> i32 {
        let b = self.z.load(Relaxed);
        fence(Acquire);
        let c = self.x.load(Relaxed);
        10 * b + c
    }

    pub fn psc_mixed_0(&self) -> i32 {
        self.x.store(1, SeqCst);
        self.y.store(1, Release);
        0
    }

    pub fn psc_mixed_1(&self) -> i32 {
        let a = self.y.load(Acquire);
        let b = self.z.load(SeqCst);
        10 * a + b
    }

    pub fn psc_mixed_2(&self) -> i32 {
        self.z.store(1, SeqCst);
        let c = self.x.load(SeqCst);
        c
    }
}

linspect::harness! {
    cells: Cells = Cells::default();

    fn mp_0(&self) -> i32;
    fn mp_1(&self) -> i32;
    fn mp_rel_acq_0(&self) -> i32;
    fn mp_rel_acq_1(&self) -> i32;
    fn mp_rel_rlx_0(&self) -> i32;
    fn mp_rel_rlx_1(&self) -> i32;
    fn mp_rlx_acq_0(&self) -> i32;
    fn mp_rlx_acq_1(&self) -> i32;
    fn mp_fences_0(&self) -> i32;
    fn mp_fences_1(&self) -> i32;
    fn mp_rel_fence_acq_0(&self) -> i32;
    fn mp_rel_fence_acq_1(&self) -> i32;
    fn mp_fence_rel_acq_0(&self) -> i32;
    fn mp_fence_rel_acq_1(&self) -> i32;
    fn mp_wrong_fences_0(&self) -> i32;
    fn mp_wrong_fences_1(&self) -> i32;
    fn mp_rel_then_rlx_0(&self) -> i32;
    fn mp_rel_then_rlx_1(&self) -> i32;
    fn mp_rel_then_rmw_0(&self) -> i32;
    fn mp_rel_then_rmw_1(&self) -> i32;
    fn mp_rmw_by_other_0(&self) -> i32;
    fn mp_rmw_by_other_1(&self) -> i32;
    fn mp_rmw_by_other_2(&self) -> i32;
    fn mp_two_rmws_0(&self) -> i32;
    fn mp_two_rmws_1(&self) -> i32;
    fn mp_two_rmws_2(&self) -> i32;
    fn mp_store_by_other_0(&self) -> i32;
    fn mp_store_by_other_1(&self) -> i32;
    fn mp_store_by_other_2(&self) -> i32;
    fn mp_sc_0(&self) -> i32;
    fn mp_sc_1(&self) -> i32;
    fn sb_0(&self) -> i32;
    fn sb_1(&self) -> i32;
    fn sb_rel_acq_0(&self) -> i32;
    fn sb_rel_acq_1(&self) -> i32;
    fn sb_sc_0(&self) -> i32;
    fn sb_sc_1(&self) -> i32;
    fn sb_sc_fences_0(&self) -> i32;
    fn sb_sc_fences_1(&self) -> i32;
    fn sb_one_fence_0(&self) -> i32;
    fn sb_one_fence_1(&self) -> i32;
    fn sb_ar_fences_0(&self) -> i32;
    fn sb_ar_fences_1(&self) -> i32;
    fn sb_rmws_0(&self) -> i32;
    fn sb_rmws_1(&self) -> i32;
    fn sb_xchg_sc_0(&self) -> i32;
    fn sb_xchg_sc_1(&self) -> i32;
    fn sb_sc_stores_0(&self) -> i32;
    fn sb_sc_stores_1(&self) -> i32;
    fn sb3_sc_0(&self) -> i32;
    fn sb3_sc_1(&self) -> i32;
    fn sb3_sc_2(&self) -> i32;
    fn lb_0(&self) -> i32;
    fn lb_1(&self) -> i32;
    fn lb_acq_0(&self) -> i32;
    fn lb_acq_1(&self) -> i32;
    fn two_two_w_0(&self) -> i32;
    fn two_two_w_1(&self) -> i32;
    fn two_two_w_rel_0(&self) -> i32;
    fn two_two_w_rel_1(&self) -> i32;
    fn two_two_w_sc_0(&self) -> i32;
    fn two_two_w_sc_1(&self) -> i32;
    fn two_two_w_sc_fences_0(&self) -> i32;
    fn two_two_w_sc_fences_1(&self) -> i32;
    fn s_0(&self) -> i32;
    fn s_1(&self) -> i32;
    fn s_rel_acq_0(&self) -> i32;
    fn s_rel_acq_1(&self) -> i32;
    fn r_0(&self) -> i32;
    fn r_1(&self) -> i32;
    fn r_sc_0(&self) -> i32;
    fn r_sc_1(&self) -> i32;
    fn r_sc_fences_0(&self) -> i32;
    fn r_sc_fences_1(&self) -> i32;
    fn iriw_0(&self) -> i32;
    fn iriw_1(&self) -> i32;
    fn iriw_2(&self) -> i32;
    fn iriw_3(&self) -> i32;
    fn iriw_acq_0(&self) -> i32;
    fn iriw_acq_1(&self) -> i32;
    fn iriw_acq_2(&self) -> i32;
    fn iriw_acq_3(&self) -> i32;
    fn iriw_sc_0(&self) -> i32;
    fn iriw_sc_1(&self) -> i32;
    fn iriw_sc_2(&self) -> i32;
    fn iriw_sc_3(&self) -> i32;
    fn iriw_acq_sc_0(&self) -> i32;
    fn iriw_acq_sc_1(&self) -> i32;
    fn iriw_acq_sc_2(&self) -> i32;
    fn iriw_acq_sc_3(&self) -> i32;
    fn iriw_sc_fences_0(&self) -> i32;
    fn iriw_sc_fences_1(&self) -> i32;
    fn iriw_sc_fences_2(&self) -> i32;
    fn iriw_sc_fences_3(&self) -> i32;
    fn wrc_0(&self) -> i32;
    fn wrc_1(&self) -> i32;
    fn wrc_2(&self) -> i32;
    fn wrc_rel_acq_0(&self) -> i32;
    fn wrc_rel_acq_1(&self) -> i32;
    fn wrc_rel_acq_2(&self) -> i32;
    fn isa2_0(&self) -> i32;
    fn isa2_1(&self) -> i32;
    fn isa2_2(&self) -> i32;
    fn isa2_rel_acq_0(&self) -> i32;
    fn isa2_rel_acq_1(&self) -> i32;
    fn isa2_rel_acq_2(&self) -> i32;
    fn rwc_0(&self) -> i32;
    fn rwc_1(&self) -> i32;
    fn rwc_2(&self) -> i32;
    fn rwc_sc_0(&self) -> i32;
    fn rwc_sc_1(&self) -> i32;
    fn rwc_sc_2(&self) -> i32;
    fn w_rwc_0(&self) -> i32;
    fn w_rwc_1(&self) -> i32;
    fn w_rwc_2(&self) -> i32;
    fn corr_0(&self) -> i32;
    fn corr_1(&self) -> i32;
    fn corr2_0(&self) -> i32;
    fn corr2_1(&self) -> i32;
    fn corr2_2(&self) -> i32;
    fn corr2_3(&self) -> i32;
    fn cowr_0(&self) -> i32;
    fn cowr_1(&self) -> i32;
    fn corw_0(&self) -> i32;
    fn corw_1(&self) -> i32;
    fn coww_0(&self) -> i32;
    fn coww_1(&self) -> i32;
    fn z6_u_0(&self) -> i32;
    fn z6_u_1(&self) -> i32;
    fn z6_u_2(&self) -> i32;
    fn z6_u_sc_0(&self) -> i32;
    fn z6_u_sc_1(&self) -> i32;
    fn z6_u_sc_2(&self) -> i32;
    fn rmw_chain_0(&self) -> i32;
    fn rmw_chain_1(&self) -> i32;
    fn rmw_chain_2(&self) -> i32;
    fn rmw_and_store_0(&self) -> i32;
    fn rmw_and_store_1(&self) -> i32;
    fn rmw_and_store_2(&self) -> i32;
    fn cas_race_0(&self) -> i32;
    fn cas_race_1(&self) -> i32;
    fn cas_fail_acq_0(&self) -> i32;
    fn cas_fail_acq_1(&self) -> i32;
    fn cas_fail_rlx_0(&self) -> i32;
    fn cas_fail_rlx_1(&self) -> i32;
    fn cas_lock_0(&self) -> i32;
    fn cas_lock_1(&self) -> i32;
    fn dekker_rmw_0(&self) -> i32;
    fn dekker_rmw_1(&self) -> i32;
    fn fence_chain_0(&self) -> i32;
    fn fence_chain_1(&self) -> i32;
    fn fence_chain_2(&self) -> i32;
    fn psc_mixed_0(&self) -> i32;
    fn psc_mixed_1(&self) -> i32;
    fn psc_mixed_2(&self) -> i32;
}
