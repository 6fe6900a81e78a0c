//! A harness, line by line: the object, its operations, and what else it says.

use crate::operation::{self, Operation, Owner, punct};
use crate::settings;
use crate::tokens::{Mistake, Read, group, is_char, is_colon, is_word, stream, tokens};
use proc_macro::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};

/// What a harness says, in the order in which the rules of the crate `linspect` know it.
#[derive(Default)]
struct Harness {
    /// `name: Type = expression`, with what may be raced for before it.
    object: Vec<TokenTree>,
    operations: Vec<Operation>,
    /// `model name: Type = expression`.
    model: Option<Vec<TokenTree>>,
    model_operations: Vec<Operation>,
    /// Lines that begin with a word and `=`, by their rank in [`LINES`].
    lines: [Option<Vec<TokenTree>>; LINES.len()],
    settings: Vec<String>,
}

/// Lines that begin with words and `=`, in the order in which the rules know them, and what they look like.
const LINES: [(&[&str], &str); 5] = [
    (&["show", "model"], "show model = expression;"),
    (&["golden"], "golden = expression;"),
    (&["show"], "show = expression;"),
    (&["progress"], "progress = lock_free;"),
    (&["spec"], "spec = queue;"),
];

const PROMISES: [&str; 3] = ["obstruction_free", "lock_free", "wait_free"];

/// Reads a harness and writes it in the one form that the rules know.
pub(crate) fn read(input: TokenStream) -> Read<TokenStream> {
    let input = tokens(input);
    let (path, written) = match &input[..] {
        [TokenTree::Group(path), written @ ..] => (path.stream(), written),
        _ => return Err(Mistake::at(&input, "this macro is for the crate linspect")),
    };
    let harness = Harness::read(written)?;
    let mut call = tokens(path);
    call.extend(tokens("::__harness!".parse().expect("a path")));
    call.push(Group::new(Delimiter::Brace, stream(&harness.write())).into());
    Ok(call.into_iter().collect())
}

impl Harness {
    fn read(written: &[TokenTree]) -> Read<Self> {
        let mut harness = Self::default();
        let mut lines: Vec<&[TokenTree]> =
            written.split(|token| is_char(Some(token), ';')).collect();
        // Behind the last semicolon there is nothing.
        let last = lines.pop().unwrap_or_default();
        let mut rest = lines.iter();
        match rest.next() {
            Some(first) if is_object(first) => harness.object = object(first)?,
            first => {
                let first = first.copied().unwrap_or(last);
                return Err(Mistake::at(
                    first,
                    "a harness begins with its object: `name: Type = expression;`; then come operations, `fn name(&self, argument: Type in values) -> Type;`, then perhaps `spec = queue;`",
                ));
            }
        }
        for line in rest {
            harness.line(line)?;
        }
        if !last.is_empty() {
            // What it is says more than that it does not end.
            harness.line(last)?;
            let name = last.iter().skip_while(|token| !is_word(Some(token), "fn"));
            return Err(Mistake::at(
                last,
                match name.clone().nth(1) {
                    Some(name) => format!(
                        "`{name}`: end the operation with a semicolon: `fn {name}(&self, …);`"
                    ),
                    None => "end this with a semicolon".to_owned(),
                },
            ));
        }
        harness.check()?;
        Ok(harness)
    }

    /// Reads a line without its semicolon.
    fn line(&mut self, line: &[TokenTree]) -> Read<()> {
        let start = attributes_end(line);
        let (attributes, bare) = line.split_at(start);
        let is_operation = is_word(bare.first(), "fn")
            || is_word(bare.first(), "async")
            || is_word(bare.first(), "pub");
        if is_operation {
            let owner = match self.model {
                Some(_) => Owner::Model,
                None => Owner::Object,
            };
            let operation = operation::read(line, owner)?;
            let all = match owner {
                Owner::Object => &mut self.operations,
                Owner::Model => &mut self.model_operations,
            };
            if all.iter().any(|other| other.name == operation.name) {
                return Err(Mistake::at(
                    bare,
                    format!(
                        "there are two operations `{}`: give one of them another name",
                        operation.name
                    ),
                ));
            }
            all.push(operation);
            return Ok(());
        }
        if !attributes.is_empty() {
            return Err(Mistake::at(attributes, "this stands above no operation"));
        }
        if is_word(bare.first(), "model") && matches!(bare.get(1), Some(TokenTree::Ident(_))) {
            if !is_object(&bare[1..]) {
                return Err(Mistake::at(
                    bare,
                    "a model is `model name: Type = expression;`, then `fn operation(&mut self, argument: Type) -> Type => expression;` for each operation",
                ));
            }
            return once(&mut self.model, bare);
        }
        self.said(bare)
    }

    /// Reads a line that begins with words and `=`.
    fn said(&mut self, line: &[TokenTree]) -> Read<()> {
        let Some(at) = line.iter().position(|token| is_char(Some(token), '=')) else {
            return Err(Mistake::at(line, unknown(line)));
        };
        let words: Vec<String> = line[..at].iter().map(ToString::to_string).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if let [name] = words[..]
            && settings::is_setting(name)
        {
            self.settings.push(settings::read(line)?);
            return Ok(());
        }
        let Some(rank) = LINES.iter().position(|(known, _)| *known == words) else {
            return Err(Mistake::at(&line[..at], unknown(&line[..at])));
        };
        let said = &line[at + 1..];
        let form = LINES[rank].1;
        if said.is_empty() {
            return Err(Mistake::at(line, format!("something is missing: `{form}`")));
        }
        if words == ["progress"]
            && !matches!(said, [one] if PROMISES.contains(&one.to_string().as_str()))
        {
            let text = stream(said);
            return Err(Mistake::at(
                said,
                format!(
                    "`progress = {text};` promises nothing; there are obstruction_free, lock_free and wait_free"
                ),
            ));
        }
        let is_spec = matches!(said, [TokenTree::Ident(_)])
            || matches!(said, [TokenTree::Ident(_), settings] if group(Some(settings), Delimiter::Parenthesis).is_some());
        if words == ["spec"] && !is_spec {
            return Err(Mistake::at(
                said,
                "a specification is `spec = queue;`, with settings `spec = queue(.capacity = 2);`",
            ));
        }
        once(&mut self.lines[rank], line)
    }

    /// Whether its parts fit each other.
    fn check(&self) -> Read<()> {
        let object = self.object[attributes_end(&self.object)].to_string();
        for operation in &self.operations {
            operation.check_limits(&self.operations)?;
            operation.check_names(&object)?;
        }
        let [shown, golden, ..] = &self.lines;
        match (golden, &self.model, shown) {
            (Some(golden), Some(_), _) => Err(Mistake::at(
                golden,
                "a golden model is the object built otherwise, in place of a model: say one of the two",
            )),
            (_, None, Some(shown)) => Err(Mistake::at(shown, "there is no model to show")),
            _ => Ok(()),
        }
    }

    fn write(&self) -> Vec<TokenTree> {
        let semicolon = punct(';', Span::call_site());
        let mut out = self.object.clone();
        out.push(semicolon.clone());
        let object = &self.object[attributes_end(&self.object)];
        for operation in &self.operations {
            operation.write(object, None, &mut out);
        }
        if let Some(model) = &self.model {
            out.extend(model.iter().cloned());
            out.push(semicolon.clone());
            for operation in &self.model_operations {
                let own = self.operations.iter().find(|o| o.name == operation.name);
                operation.write(&model[1], own, &mut out);
            }
        }
        for (rank, line) in self.lines.iter().enumerate() {
            // Settings come before the specification.
            if rank + 1 == LINES.len() && !self.settings.is_empty() {
                out.push(Ident::new("settings", Span::call_site()).into());
                out.push(Literal::string(&self.settings.join(", ")).into());
                out.push(semicolon.clone());
            }
            if let Some(line) = line {
                out.extend(line.iter().cloned());
                out.push(semicolon.clone());
            }
        }
        out
    }
}

/// The line of the object, without comments.
fn object(line: &[TokenTree]) -> Read<Vec<TokenTree>> {
    let (attributes, bare) = line.split_at(attributes_end(line));
    let mut kept = Vec::new();
    for attribute in attributes.chunks(2) {
        let inner = group(attribute.get(1), Delimiter::Bracket);
        let inner = inner.map_or_else(Vec::new, |group| tokens(group.stream()));
        match inner.first().map(ToString::to_string).as_deref() {
            Some("doc") => {}
            Some("allow_race") if kept.is_empty() && inner.len() == 2 => {
                kept.extend(attribute.iter().cloned());
            }
            _ => {
                return Err(Mistake::at(
                    attribute,
                    "this says nothing about an object; there is one #[allow_race(data, version)]",
                ));
            }
        }
    }
    kept.extend(bare.iter().cloned());
    Ok(kept)
}

/// Keeps a line that can be said once.
fn once(place: &mut Option<Vec<TokenTree>>, line: &[TokenTree]) -> Read<()> {
    match place {
        Some(_) => Err(Mistake::at(line, "this was said before")),
        None => {
            *place = Some(line.to_vec());
            Ok(())
        }
    }
}

fn unknown(line: &[TokenTree]) -> String {
    let forms: Vec<String> = LINES.iter().map(|(_, form)| format!("`{form}`")).collect();
    format!(
        "a harness has no line `{}`; there are operations, `model name: Type = expression;`, {}, and the settings {}",
        stream(line),
        forms.join(", "),
        settings::names()
    )
}

/// How many tokens are attributes: `#`, then a group in brackets.
pub(crate) fn attributes_end(line: &[TokenTree]) -> usize {
    let is_attribute = |at: usize| {
        is_char(line.get(at), '#') && group(line.get(at + 1), Delimiter::Bracket).is_some()
    };
    let pairs = (0..line.len() / 2).map(|pair| 2 * pair);
    2 * pairs.take_while(|&at| is_attribute(at)).count()
}

/// Whether a line is `name: Type = expression`, perhaps with attributes.
fn is_object(line: &[TokenTree]) -> bool {
    let line = &line[attributes_end(line)..];
    matches!(line.first(), Some(TokenTree::Ident(_)))
        && is_colon(line.get(1..).unwrap_or_default())
        && line.iter().any(|token| is_char(Some(token), '='))
}
