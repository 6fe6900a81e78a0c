//~ a harness begins with its object: `name: Type = expression;`
linspect::harness! {
    fn take(&self) -> bool;
}
