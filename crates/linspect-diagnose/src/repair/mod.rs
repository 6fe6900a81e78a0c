//! Step 9: which code must be atomic. After Çirisci, Enea, Farzan and Mutluergil, *Root Causing Linearizability Violations*, CAV 2020.

pub mod eliminators;
