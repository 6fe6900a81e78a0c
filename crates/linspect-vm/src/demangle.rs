//! Symbols in the words of their source.

use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};

/// `symbol` as the source has it: demangled if it is one of Rust's or C++'s, else as it is.
pub(crate) fn demangled(symbol: &str) -> String {
    // An old symbol of Rust's is one of C++'s with a hash behind it.
    if let Ok(rust) = rustc_demangle::try_demangle(symbol) {
        return format!("{rust:#}");
    }
    if !symbol.starts_with("_Z") {
        return symbol.to_owned();
    }
    of_cxx(symbol).unwrap_or_else(|| symbol.to_owned())
}

/// The name in a type information: `St13runtime_error` is `std::runtime_error`, `3Foo` is `Foo`, `i` is `int`.
pub(crate) fn demangled_type(name: &str) -> String {
    // That of the variable that holds it says what it is for.
    let told = of_cxx(&format!("_ZTI{name}"));
    let plain = told.and_then(|told| told.strip_prefix("typeinfo for ").map(str::to_owned));
    plain.unwrap_or_else(|| name.to_owned())
}

fn of_cxx(symbol: &str) -> Option<String> {
    let parsed = Symbol::new_with_options(symbol, &ParseOptions::default()).ok()?;
    parsed
        .demangle_with_options(&DemangleOptions::default().no_return_type())
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_three_languages_are_told() {
        for (symbol, name) in [
            ("queue_push", "queue_push"),
            ("_ZN5Stack4pushEi", "Stack::push(int)"),
            ("_ZSt9terminatev", "std::terminate()"),
            (
                "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
                "core::fmt::Write::write_fmt",
            ),
            ("_ZNot a symbol", "_ZNot a symbol"),
        ] {
            assert_eq!(demangled(symbol), name);
        }
    }

    #[test]
    fn types_are_told() {
        for (name, told) in [
            ("i", "int"),
            ("PKc", "char const*"),
            ("St13runtime_error", "std::runtime_error"),
            ("3Foo", "Foo"),
            ("N2ns3FooIiEE", "ns::Foo<int>"),
            ("?", "?"),
        ] {
            assert_eq!(demangled_type(name), told);
        }
    }
}
