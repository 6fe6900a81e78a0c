//! An operation of a harness or of its model.

use crate::harness::attributes_end;
use crate::tokens::{
    Mistake, Read, group, is_arrow, is_char, is_colon, is_word, parenthesised, stream, text, tokens,
};
use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// An operation, as it was written.
pub(crate) struct Operation {
    /// Its attributes, `async` and `fn`.
    head: Vec<TokenTree>,
    pub(crate) name: String,
    name_token: TokenTree,
    /// `&self` or `&mut self`.
    receiver: Vec<TokenTree>,
    pub(crate) arguments: Vec<Argument>,
    /// What it returns and what it is: `-> u8 => expression`.
    rest: Vec<TokenTree>,
}

/// An argument.
pub(crate) struct Argument {
    name: TokenTree,
    kind: Vec<TokenTree>,
    /// What is worth trying.
    pub(crate) values: Vec<TokenTree>,
}

/// Whose operation it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Object,
    Model,
}

/// Words that end the name of a type whose values hold a lock.
const GUARDS: [&str; 2] = ["Guard", "RefMut"];

/// Reads an operation without its semicolon.
pub(crate) fn read(tokens: &[TokenTree], owner: Owner) -> Read<Operation> {
    let at = tokens.iter().position(|token| is_word(Some(token), "fn"));
    let at = at.unwrap_or_default();
    let Some(name @ TokenTree::Ident(_)) = tokens.get(at + 1) else {
        return Err(Mistake::at(
            tokens,
            "an operation is `fn name(&self, argument: Type in values) -> Type;`",
        ));
    };
    let (said, written) = (name.to_string(), &tokens[at..]);
    let Some(parameters) = group(tokens.get(at + 2), Delimiter::Parenthesis) else {
        return Err(Mistake::at(
            written,
            format!("`{said}`: what it takes stands in parentheses: `fn {said}(&self);`"),
        ));
    };
    let rest = tokens[at + 3..].to_vec();
    let (receiver, arguments) = parameters_of(parameters.stream(), &said, written, owner)?;
    let operation = Operation {
        head: tokens[..=at].to_vec(),
        name: said,
        name_token: name.clone(),
        receiver,
        arguments,
        rest,
    };
    operation.check(written)?;
    Ok(operation)
}

/// What an operation takes: `&self` first, then arguments.
fn parameters_of(
    parameters: TokenStream,
    name: &str,
    written: &[TokenTree],
    owner: Owner,
) -> Read<(Vec<TokenTree>, Vec<Argument>)> {
    let all = tokens(parameters);
    let receivers: &[&[&str]] = match owner {
        Owner::Object => &[&["&", "self"], &["&", "mut", "self"]],
        Owner::Model => &[&["&", "mut", "self"]],
    };
    let is_so = |words: &&&[&str]| {
        let first: Vec<String> = all
            .iter()
            .take(words.len())
            .map(ToString::to_string)
            .collect();
        first == **words
    };
    let Some(receiver) = receivers.iter().find(is_so) else {
        return Err(Mistake::at(
            &written[..3],
            match owner {
                Owner::Object => format!(
                    "`{name}` does not take `&self` first: operations are those of the object"
                ),
                Owner::Model => format!(
                    "`{name}` does not take `&mut self` first: a model is changed by its operations, and no two threads run it"
                ),
            },
        ));
    };
    let (receiver, mut rest) = all.split_at(receiver.len());
    let mut arguments = Vec::new();
    while let Some(comma) = rest.first() {
        if !is_char(Some(comma), ',') {
            return Err(Mistake::at(
                &rest[..1],
                format!("`{name}`: arguments are separated by commas"),
            ));
        }
        rest = &rest[1..];
        if rest.is_empty() {
            break;
        }
        let begins = |at: &usize| {
            is_char(rest.get(*at), ',')
                && matches!(rest.get(at + 1), Some(TokenTree::Ident(_)))
                && is_colon(rest.get(at + 2..).unwrap_or_default())
        };
        let last = rest.len() - usize::from(is_char(rest.last(), ','));
        let end = (0..rest.len()).find(begins).unwrap_or(last);
        arguments.push(argument(&rest[..end], name, owner)?);
        rest = &rest[end..];
    }
    Ok((receiver.to_vec(), arguments))
}

/// Reads `name: Type in values`, or `name: Type` of a model.
fn argument(tokens: &[TokenTree], operation: &str, owner: Owner) -> Read<Argument> {
    let [name @ TokenTree::Ident(_), colon, ..] = tokens else {
        return Err(Mistake::at(
            tokens,
            format!("`{operation}`: an argument is `name: Type in values`"),
        ));
    };
    if !is_colon(std::slice::from_ref(colon)) {
        return Err(Mistake::at(
            tokens,
            format!("`{operation}`: an argument is `name: Type in values`"),
        ));
    }
    let at = tokens.iter().position(|token| is_word(Some(token), "in"));
    let kind = tokens[2..at.unwrap_or(tokens.len())].to_vec();
    if matches!(kind.first(), Some(first) if ["impl", "dyn", "fn"].contains(&first.to_string().as_str()))
    {
        return Err(Mistake::at(
            &kind,
            format!(
                "`{operation}` takes a function: let it take a number and make the function of it, `fn {operation}(&self, by: u8 in [1, 2]) => object.{operation}(|value| value + by);`"
            ),
        ));
    }
    let values = at.map_or_else(Vec::new, |at| tokens[at + 1..].to_vec());
    if owner == Owner::Object && values.is_empty() {
        return Err(Mistake::at(
            tokens,
            format!(
                "`{operation}`: say which arguments are worth trying, such as `{name}: {} in [1, 2]`",
                text(&kind)
            ),
        ));
    }
    if owner == Owner::Model && at.is_some() {
        return Err(Mistake::at(
            tokens,
            format!(
                "`{operation}`: the object's operation says what to try; here it is `{name}: {}`",
                text(&kind)
            ),
        ));
    }
    Ok(Argument {
        name: name.clone(),
        kind,
        values,
    })
}

impl Operation {
    /// Whether what follows the parentheses can be a result and an expression.
    fn check(&self, written: &[TokenTree]) -> Read<()> {
        let Self { name, rest, .. } = self;
        let arrow = (0..rest.len()).find(|&at| is_arrow(&rest[at..], '='));
        let before = &rest[..arrow.unwrap_or(rest.len())];
        let is_body = |token: &TokenTree| group(Some(token), Delimiter::Brace).is_some();
        if before.iter().any(is_body) {
            return Err(Mistake::at(
                written,
                format!("`{name}` has a body: write `fn {name}(&self, …) => expression;`"),
            ));
        }
        let begins = is_arrow(rest, '-') || is_arrow(rest, '=');
        if !rest.is_empty() && !begins {
            return Err(Mistake::at(
                written,
                format!("`{name}`: end the operation with a semicolon: `fn {name}(&self, …);`"),
            ));
        }
        let result = match is_arrow(rest, '-') {
            true => &rest[2..arrow.unwrap_or(rest.len())],
            false => &[],
        };
        if let Some(inner) = result.iter().find(|token| is_word(Some(token), "fn")) {
            return Err(Mistake::at(
                written,
                format!(
                    "`{name}`: end the operation with a semicolon before `{inner}`: `fn {name}(&self, …);`"
                ),
            ));
        }
        let is_guard = |token: &TokenTree| {
            let word = token.to_string();
            matches!(token, TokenTree::Ident(_)) && GUARDS.iter().any(|end| word.ends_with(end))
        };
        match result.iter().any(is_guard) {
            true => Err(Mistake::at(
                result,
                format!(
                    "`{name}` returns a guard, which would be released at once: do what it is for in one expression, `=> {{ let mut guard = …; … }}`, or keep it with `core::mem::forget` and let another operation unlock, with #[after({name})]"
                ),
            )),
            false => Ok(()),
        }
    }

    /// Whether it can speak of the object: an argument of the same name would hide it.
    pub(crate) fn check_names(&self, object: &str) -> Read<()> {
        let hides = |argument: &&Argument| argument.name.to_string() == object;
        match self.arguments.iter().find(hides) {
            Some(argument) => Err(Mistake::at(
                std::slice::from_ref(&argument.name),
                format!(
                    "`{object}` is the object: give the argument of `{}` another name",
                    self.name
                ),
            )),
            None => Ok(()),
        }
    }

    /// Whether what stands above it says something about it.
    pub(crate) fn check_limits(&self, all: &[Self]) -> Read<()> {
        let name = &self.name;
        let mut is_alone = false;
        for attribute in self.head[..attributes_end(&self.head)].chunks(2) {
            let inner = group(attribute.get(1), Delimiter::Bracket);
            let inner = inner.map_or_else(Vec::new, |group| tokens(group.stream()));
            let word = inner.first().map(ToString::to_string).unwrap_or_default();
            let value = group(inner.get(1), Delimiter::Parenthesis);
            let value = value.map(|group| group.stream().to_string());
            is_alone |= word == "single_thread";
            let is_right = match (word.as_str(), &value) {
                ("doc", _) => true,
                ("single_thread", None) => inner.len() == 1,
                ("cancel", None) if inner.len() == 1 => {
                    if !self.head.iter().any(|token| is_word(Some(token), "async")) {
                        return Err(Mistake::at(
                            &inner,
                            format!(
                                "`{name}` is no `async fn`: only what waits for others by `.await` can be given up"
                            ),
                        ));
                    }
                    true
                }
                ("single_thread" | "at_most" | "may_fail", Some(value)) => !value.is_empty(),
                ("after", Some(first)) => {
                    if !all.iter().any(|other| other.name == *first) {
                        return Err(Mistake::at(
                            &inner,
                            format!(
                                "there is no operation `{first}` that `{name}` could come after"
                            ),
                        ));
                    }
                    true
                }
                _ => false,
            };
            if !is_right {
                return Err(Mistake::at(
                    attribute,
                    format!(
                        "`#[{}]` says nothing about an operation; there are #[single_thread], #[single_thread(owner)], #[at_most(1)], #[after(lock)], #[may_fail(false)] and #[cancel]",
                        text(&inner)
                    ),
                ));
            }
        }
        if self.receiver.len() == 3 && !is_alone {
            return Err(Mistake::at(
                std::slice::from_ref(&self.name_token),
                format!(
                    "`{name}` takes `&mut self`: several threads call an operation, so it takes `&self`, or `#[single_thread]` stands above it"
                ),
            ));
        }
        Ok(())
    }

    /// The operation in the form that the rules know: what it does to `object` is always an expression. Arguments have the values of `values` where they have none.
    /// Words that the rules would say themselves are said here, where the compiler is to underline.
    pub(crate) fn write(
        &self,
        object: &TokenTree,
        values: Option<&Self>,
        into: &mut Vec<TokenTree>,
    ) {
        let here = self.name_token.span();
        into.extend(self.head.iter().cloned());
        into.push(self.name_token.clone());
        let result = match is_arrow(&self.rest, '-') {
            true => self.rest[2].span(),
            false => here,
        };
        let kept = word("linspect_result", result);
        let given = parenthesised(&[punct('&', result), kept.clone()]);
        into.push(bracketed(&[word("observe", result), kept, given]));
        let mut inner = self.receiver.clone();
        for (at, argument) in self.arguments.iter().enumerate() {
            let others = values.and_then(|other| other.arguments.get(at));
            let values = others.map_or(&argument.values, |other| &other.values);
            inner.push(punct(',', here));
            inner.push(argument.name.clone());
            inner.push(argument.borrowed());
            inner.push(parenthesised(values));
        }
        into.push(parenthesised(&inner));
        let arrow = (0..self.rest.len()).find(|&at| is_arrow(&self.rest[at..], '='));
        let result = &self.rest[..arrow.unwrap_or(self.rest.len())];
        if !result.is_empty() {
            into.push(bracketed(result));
        }
        into.push(match arrow {
            Some(at) => parenthesised(&self.rest[at + 2..]),
            None => parenthesised(&self.call(object)),
        });
        into.push(punct(';', here));
    }

    /// `object.name(arguments)`, all of it where the name is written.
    fn call(&self, object: &TokenTree) -> Vec<TokenTree> {
        let here = self.name_token.span();
        let names = self.arguments.iter().map(|argument| argument.name.clone());
        let names: Vec<TokenTree> = names.flat_map(|name| [name, punct(',', here)]).collect();
        let mut arguments = Group::new(Delimiter::Parenthesis, stream(&names));
        arguments.set_span(here);
        let mut object = object.clone();
        object.set_span(here);
        let mut call = vec![
            object,
            punct('.', here),
            self.name_token.clone(),
            arguments.into(),
        ];
        if self.head.iter().any(|token| is_word(Some(token), "async")) {
            call.extend([punct('.', here), word("await", here)]);
        }
        call
    }
}

impl Argument {
    /// Its type in brackets: how it is handed over, what is kept, and the words that ask for it. `&T` is handed over from a `T` that is kept, unless it lives for ever or has no size.
    fn borrowed(&self) -> TokenTree {
        let (by, kept): (&str, &[TokenTree]) = match &self.kind[..] {
            [and, word, rest @ ..] if is_char(Some(and), '&') && is_word(Some(word), "mut") => {
                ("by_mut", rest)
            }
            [and, lifetime, ..] if is_char(Some(and), '&') && is_char(Some(lifetime), '\'') => {
                ("by_value", &self.kind)
            }
            [and, rest @ ..] if is_char(Some(and), '&') && is_sized(rest) => ("by_ref", rest),
            _ => ("by_value", &self.kind),
        };
        let here = kept
            .first()
            .map_or_else(|| self.name.span(), TokenTree::span);
        let mut name = self.name.clone();
        name.set_span(here);
        bracketed(&[
            word(by, here),
            parenthesised(kept),
            word("get", here),
            word("declare", here),
            parenthesised(&[punct('&', here), name]),
        ])
    }
}

/// Whether a type can be kept in a variable, as far as its tokens tell.
fn is_sized(kind: &[TokenTree]) -> bool {
    let is_slice = match kind {
        [TokenTree::Group(group)] => {
            let inner = tokens(group.stream());
            group.delimiter() == Delimiter::Bracket && !inner.iter().any(|t| is_char(Some(t), ';'))
        }
        _ => false,
    };
    let unsized_words = ["str", "dyn", "Path", "CStr", "OsStr"];
    let first = kind.first().map(ToString::to_string).unwrap_or_default();
    !is_slice && !unsized_words.contains(&first.as_str())
}

fn bracketed(inner: &[TokenTree]) -> TokenTree {
    Group::new(Delimiter::Bracket, stream(inner)).into()
}

fn word(word: &str, here: Span) -> TokenTree {
    Ident::new(word, here).into()
}

pub(crate) fn punct(c: char, here: Span) -> TokenTree {
    let mut punct = Punct::new(c, Spacing::Alone);
    punct.set_span(here);
    punct.into()
}
