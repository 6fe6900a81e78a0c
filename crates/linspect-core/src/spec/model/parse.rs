//! Reads rules: `[x, ..q] -> [..q] returns x when x > 0`.

use super::term::{Comparison, Item, Term};
use super::{ORDERS, Rule};
use crate::value::Value;

pub(super) struct Parser<'t> {
    rest: &'t str,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            rest: text.trim_start(),
        }
    }

    /// A term and nothing else.
    pub(super) fn only_term(mut self, names: &mut Vec<String>) -> Result<Term, String> {
        let term = self.term(names, Place::Pattern)?;
        self.end()?;
        Ok(term)
    }

    /// `method(a, b)`
    pub(super) fn signature(
        mut self,
        names: &mut Vec<String>,
    ) -> Result<(String, Vec<Term>), String> {
        let method = self
            .name()
            .ok_or("a call looks like `enqueue(x)`")?
            .to_owned();
        if !self.take("(") {
            return Err("a call looks like `enqueue(x)`".into());
        }
        let mut parameters = Vec::new();
        while !self.take(")") {
            if !parameters.is_empty() && !self.take(",") {
                return Err(self.unexpected("`,` or `)`"));
            }
            parameters.push(self.term(names, Place::Pattern)?);
        }
        self.end()?;
        Ok((method, parameters))
    }

    /// `from -> to returns result when condition and condition`
    pub(super) fn rule(mut self, names: &mut Vec<String>) -> Result<Rule, String> {
        let from = self.term(names, Place::Pattern)?;
        if !self.take("->") {
            return Err(self.unexpected("`->`: a rule looks like `state -> state returns result`"));
        }
        let to = self.term(names, Place::Result)?;
        let returns = match self.word("returns") {
            true => Some(self.term(names, Place::Result)?),
            false => None,
        };
        let mut conditions = Vec::new();
        if self.word("when") {
            conditions.push(self.comparison(names)?);
            while self.word("and") {
                conditions.push(self.comparison(names)?);
            }
        }
        self.end()?;
        Ok(Rule {
            from,
            to,
            returns,
            conditions,
        })
    }

    fn comparison(&mut self, names: &mut Vec<String>) -> Result<Comparison, String> {
        let left = self.term(names, Place::Result)?;
        let Some((_, holds)) = ORDERS.into_iter().find(|(sign, _)| self.take(sign)) else {
            return Err(self.unexpected("one of = != < <= > >="));
        };
        let right = self.term(names, Place::Result)?;
        Ok(Comparison { left, right, holds })
    }

    fn term(&mut self, names: &mut Vec<String>, place: Place) -> Result<Term, String> {
        let mut term = self.atom(names, place)?;
        loop {
            let sign = match () {
                () if self.rest.starts_with("->") => return Ok(term),
                () if self.take("+") => 1,
                () if self.take("-") => -1,
                () => return Ok(term),
            };
            if place == Place::Pattern {
                return Err("a sum cannot stand where something is looked for".into());
            }
            term = Term::Sum(Box::new(term), sign, Box::new(self.atom(names, place)?));
        }
    }

    fn atom(&mut self, names: &mut Vec<String>, place: Place) -> Result<Term, String> {
        if self.take("[") {
            return self.list(names, place);
        }
        if self.take("()") {
            return Ok(Term::Value(Value::Unit));
        }
        if self.take("\"") {
            let (text, rest) = self.rest.split_once('"').ok_or("a text ends with `\"`")?;
            self.rest = rest.trim_start();
            return Ok(Term::Value(Value::text(text)));
        }
        let digits = self.rest.strip_prefix('-').unwrap_or(self.rest);
        if digits.starts_with(|c: char| c.is_ascii_digit()) {
            let signs = self.rest.len() - digits.len();
            let end = digits.find(|c: char| !c.is_ascii_digit());
            let (number, rest) = self
                .rest
                .split_at(end.map_or(self.rest.len(), |end| end + signs));
            self.rest = rest.trim_start();
            let number = number
                .parse()
                .map_err(|_| format!("{number} is too large"))?;
            return Ok(Term::Value(Value::Int(number)));
        }
        match self.name() {
            Some("true") => Ok(Term::Value(Value::Bool(true))),
            Some("false") => Ok(Term::Value(Value::Bool(false))),
            Some("nil" | "null") => Ok(Term::Value(Value::Nil)),
            Some("_") if place == Place::Pattern => Ok(Term::Any),
            Some("_") => Err("`_` stands for nothing that could be used".into()),
            Some(name) => number_of(name, names, place).map(Term::Name),
            None => Err(self.unexpected("a value, a name or a list")),
        }
    }

    fn list(&mut self, names: &mut Vec<String>, place: Place) -> Result<Term, String> {
        let (mut items, mut is_open) = (Vec::new(), false);
        while !self.take("]") {
            if !items.is_empty() && !self.take(",") {
                return Err(self.unexpected("`,` or `]`"));
            }
            if self.take("..") {
                if is_open && place == Place::Pattern {
                    return Err("a list that is looked for has one `..rest` at most".into());
                }
                is_open = true;
                let name = self.name().ok_or("a name follows `..`")?;
                items.push(Item::Rest(number_of(name, names, place)?));
            } else {
                items.push(Item::One(self.term(names, place)?));
            }
        }
        let values: Option<Vec<Value>> = items
            .iter()
            .map(|item| match item {
                Item::One(Term::Value(value)) => Some(value.clone()),
                _ => None,
            })
            .collect();
        Ok(values.map_or(Term::List(items), |values| Term::Value(Value::list(values))))
    }

    /// Takes `sign` if it is next.
    fn take(&mut self, sign: &str) -> bool {
        let after = self.rest.strip_prefix(sign);
        if let Some(after) = after {
            self.rest = after.trim_start();
        }
        after.is_some()
    }

    /// Takes `word` if it is next.
    fn word(&mut self, word: &str) -> bool {
        let before = self.rest;
        let is_next = self.name() == Some(word);
        if !is_next {
            self.rest = before;
        }
        is_next
    }

    fn name(&mut self) -> Option<&'t str> {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.rest = rest.trim_start();
        Some(name)
    }

    fn end(&self) -> Result<(), String> {
        match self.rest {
            "" => Ok(()),
            _ => Err(self.unexpected("the end")),
        }
    }

    fn unexpected(&self, wanted: &str) -> String {
        match self.rest {
            "" => format!("it ends where {wanted} should be"),
            rest => format!("{wanted} should be where `{rest}` is"),
        }
    }
}

/// Where a term stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Where something is looked for: a new name stands for what is there.
    Pattern,
    /// Where something is made of it: names are known.
    Result,
}

fn number_of(name: &str, names: &mut Vec<String>, place: Place) -> Result<u8, String> {
    let known = names.iter().position(|other| other == name);
    let at = match (known, place) {
        (Some(at), _) => at,
        (None, Place::Pattern) => {
            names.push(name.to_owned());
            names.len() - 1
        }
        (None, Place::Result) => return Err(format!("nobody says what `{name}` is")),
    };
    u8::try_from(at).map_err(|_| String::from("there are more than 255 names"))
}
