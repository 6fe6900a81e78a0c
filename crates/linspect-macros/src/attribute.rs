//! `#[linspect::test(budget = "10s")]`: an ordinary test that says how it is to be tested.

use crate::settings;
use crate::tokens::{Mistake, Read, group, is_arrow, is_word, tokens};
use proc_macro::{Delimiter, TokenStream, TokenTree};

/// The function with its settings beside it; with what is wrong, if something is.
pub(crate) fn expand(settings: TokenStream, function: TokenStream) -> TokenStream {
    let (attributes, rest) = match declared(&tokens(settings), &tokens(function.clone())) {
        Ok(declared) => (
            "#[cfg_attr(test, ::core::prelude::v1::test)] #[allow(dead_code)]",
            declared,
        ),
        Err(mistake) => ("#[allow(dead_code)]", mistake.into_stream()),
    };
    let attributes: TokenStream = attributes.parse().expect("attributes");
    [attributes, function, rest].into_iter().collect()
}

/// What tells the machine the settings.
fn declared(settings: &[TokenTree], function: &[TokenTree]) -> Read<TokenStream> {
    let settings = settings::read_all(settings)?;
    let at = function.iter().position(|token| is_word(Some(token), "fn"));
    let Some((at, TokenTree::Ident(name))) = at.and_then(|at| Some((at, function.get(at + 1)?)))
    else {
        return Err(Mistake::at(
            function,
            "#[linspect::test] stands above a function",
        ));
    };
    let written = &function[at + 2..];
    let arguments = group(written.first(), Delimiter::Parenthesis);
    if !arguments.is_some_and(|group| group.stream().is_empty()) {
        return Err(Mistake::at(
            &written[..1],
            format!(
                "a test takes nothing: `fn {name}() {{ … }}`; values to try are `linspect::choose(n)`"
            ),
        ));
    }
    if is_word(
        at.checked_sub(1).and_then(|before| function.get(before)),
        "async",
    ) {
        return Err(Mistake::at(
            &function[at - 1..=at + 1],
            format!(
                "a test waits for its futures itself: `fn {name}() {{ block_on(async {{ … }}) }}`"
            ),
        ));
    }
    if is_arrow(&written[1..], '-') {
        return Err(Mistake::at(
            &written[1..written.len() - 1],
            "a test returns nothing: unwrap what can fail",
        ));
    }
    let settings = settings.join(", ");
    let declared = format!("::linspect::__test_settings! {{ {name} {settings:?} }}");
    Ok(declared.parse().expect("a call of a macro"))
}
