//~ a harness is `name: Type = expression;`, then operations
linspect::harness! {
    fn take(&self) -> bool;
}
