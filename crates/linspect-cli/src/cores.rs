//! How many cores are used.

/// Uses so many cores from now on; without a number, all that there are.
pub(crate) fn limit(jobs: Option<u16>) {
    if let Some(jobs) = jobs {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.into());
        // It is there already if somebody has said so before; that holds.
        let _ = pool.build_global();
    }
}
