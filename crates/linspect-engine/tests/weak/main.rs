//! C20 through the whole machine: litmus tests with the counts of the literature, the objects of the zoo, and faults of orderings.

mod litmus;
mod machine;
mod orderings;
mod zoo;
