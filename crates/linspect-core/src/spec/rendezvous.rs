//! A channel without a place: whoever sends and whoever receives meet, and the value passes from hand to hand.
//!
//! `send`/`put` and `recv`/`receive`/`take` wait for each other and take effect at one moment; neither is possible alone. Beside somebody who waits, `try_send`/`offer`
//! returns true and `try_recv`/`poll` the value; alone they return false and nothing. Two that only try do not meet: neither waits. `send_timeout` and `recv_timeout` wait, and
//! may give up. (Scherer, Lea, Scott: "Scalable synchronous queues", PPoPP 2006; concurrency-aware linearizability: Hemed, Rinetzky, Vafeiadis, DISC 2015.)

use super::spelling::{Folded, Method};
use super::{Goods, HandOver, Spec, Unfit, hands_out};
use crate::history::Outcome;
use crate::value::Value;

/// A channel without a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendezvous;

/// How long a caller waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Patience {
    /// For ever.
    Waits,
    /// Until it gives up.
    MayGiveUp,
    /// Not at all.
    Tries,
}

/// A call of a [`Rendezvous`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RendezvousCall {
    /// Hands a value over.
    Send(Value, Patience),
    /// Takes a value.
    Receive(Patience),
}

impl RendezvousCall {
    fn patience(&self) -> Patience {
        match self {
            Self::Send(_, patience) | Self::Receive(patience) => *patience,
        }
    }
}

impl Spec for Rendezvous {
    type State = ();
    type Call = RendezvousCall;

    fn name(&self) -> &str {
        "rendezvous"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<RendezvousCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let send = |patience| {
            let value = m.element(argument, None)?;
            Ok(RendezvousCall::Send(value, patience))
        };
        let receive = |patience| {
            m.nothing(argument)?;
            Ok(RendezvousCall::Receive(patience))
        };
        match Folded::new(method).as_str() {
            "send" | "put" => send(Patience::Waits),
            "sendtimeout" | "puttimeout" | "offertimeout" => send(Patience::MayGiveUp),
            "trysend" | "offer" | "tryput" => send(Patience::Tries),
            "recv" | "receive" | "take" => receive(Patience::Waits),
            "recvtimeout" | "receivetimeout" | "taketimeout" | "polltimeout" => {
                receive(Patience::MayGiveUp)
            }
            "tryrecv" | "tryreceive" | "poll" | "trytake" => receive(Patience::Tries),
            _ => Err(m.unknown("send, try_send, send_timeout, recv, try_recv, recv_timeout")),
        }
    }

    fn outcome(&self, call: &RendezvousCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            RendezvousCall::Send(v, Patience::Waits) => method("send").done(outcome, Some(v)),
            RendezvousCall::Send(v, _) => method("try_send").done_or_not(outcome, Some(v)),
            RendezvousCall::Receive(_) => method("recv").taken(outcome, None),
        }
    }

    fn initial(&self) {}

    fn outcomes(&self, (): &(), call: &RendezvousCall, each: &mut dyn FnMut(Value, ())) {
        match call {
            _ if call.patience() == Patience::Waits => {}
            RendezvousCall::Send(..) => each(Value::Bool(false), ()),
            RendezvousCall::Receive(_) => each(Value::Nil, ()),
        }
    }

    fn most_together(&self) -> usize {
        2
    }

    fn together(&self, (): &(), calls: &[&RendezvousCall], each: &mut dyn FnMut(&[Value], ())) {
        if calls.iter().all(|call| call.patience() == Patience::Tries) {
            return;
        }
        match calls {
            [RendezvousCall::Send(v, _), RendezvousCall::Receive(_)] => {
                each(&[Value::Unit, v.clone()], ());
            }
            [RendezvousCall::Receive(_), RendezvousCall::Send(v, _)] => {
                each(&[v.clone(), Value::Unit], ());
            }
            _ => {}
        }
    }

    fn hands_over(&self, call: &RendezvousCall, outcome: &Outcome) -> HandOver {
        match call {
            RendezvousCall::Send(..) if *outcome == Outcome::Returned(Value::Bool(false)) => {
                HandOver::Nothing
            }
            RendezvousCall::Send(v, _) => HandOver::Adds(Goods::Value(v.clone())),
            RendezvousCall::Receive(_) => hands_out(outcome),
        }
    }

    fn show(&self, (): &()) -> String {
        String::from("nobody has met")
    }
}
