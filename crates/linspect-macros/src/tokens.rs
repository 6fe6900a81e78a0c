//! Tokens one after the other, and mistakes that know which of them they are about.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// What is wrong, and where.
pub(crate) struct Mistake {
    first: Span,
    last: Span,
    text: String,
}

/// What was read, or what is wrong with it.
pub(crate) type Read<T> = Result<T, Mistake>;

impl Mistake {
    /// Something is wrong with these tokens.
    pub(crate) fn at(tokens: &[TokenTree], text: impl Into<String>) -> Self {
        let here = Span::call_site();
        Self {
            first: tokens.first().map_or(here, TokenTree::span),
            last: tokens.last().map_or(here, TokenTree::span),
            text: text.into(),
        }
    }

    /// The error for the compiler, which underlines from the first token to the last.
    pub(crate) fn into_stream(self) -> TokenStream {
        let punct = |c, spacing, span| {
            let mut punct = Punct::new(c, spacing);
            punct.set_span(span);
            TokenTree::Punct(punct)
        };
        let mut text = Literal::string(&self.text);
        text.set_span(self.last);
        let mut group = Group::new(Delimiter::Brace, TokenTree::Literal(text).into());
        group.set_span(self.last);
        [
            punct(':', Spacing::Joint, self.first),
            punct(':', Spacing::Alone, self.first),
            Ident::new("core", self.first).into(),
            punct(':', Spacing::Joint, self.first),
            punct(':', Spacing::Alone, self.first),
            Ident::new("compile_error", self.first).into(),
            punct('!', Spacing::Alone, self.first),
            group.into(),
        ]
        .into_iter()
        .collect()
    }
}

/// Whether a token is this word.
pub(crate) fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident.to_string() == word)
}

/// Whether a token is this character.
pub(crate) fn is_char(token: Option<&TokenTree>, c: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == c)
}

/// Whether these tokens begin with a colon that stands alone: what follows is a type, not the rest of a path.
pub(crate) fn is_colon(tokens: &[TokenTree]) -> bool {
    matches!(tokens.first(), Some(TokenTree::Punct(p)) if p.as_char() == ':' && p.spacing() == Spacing::Alone)
}

/// Whether these tokens begin with this arrow: `->` or `=>`.
pub(crate) fn is_arrow(tokens: &[TokenTree], body: char) -> bool {
    is_char(tokens.first(), body) && is_char(tokens.get(1), '>')
}

/// The group that a token is, if it has this delimiter.
pub(crate) fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// The tokens of a stream.
pub(crate) fn tokens(stream: TokenStream) -> Vec<TokenTree> {
    stream.into_iter().collect()
}

/// The stream of tokens.
pub(crate) fn stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}

/// The tokens as they were written, more or less.
pub(crate) fn text(tokens: &[TokenTree]) -> String {
    stream(tokens).to_string()
}

/// The tokens in parentheses.
pub(crate) fn parenthesised(inner: &[TokenTree]) -> TokenTree {
    Group::new(Delimiter::Parenthesis, stream(inner)).into()
}
