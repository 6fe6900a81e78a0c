// Collections, traits, closures, strings, formatting, arithmetic.
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;

trait Shape {
    fn area(&self) -> f64;
}
struct Square(f64);
struct Circle(f64);
impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}
impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.0 * self.0
    }
}
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:.2}]", self.0)
    }
}

fn main() {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(2.0)), Box::new(Circle(1.0))];
    println!("{:.1} {}", shapes.iter().map(|s| s.area()).sum::<f64>(), Square(1.5));
    let mut map = HashMap::new();
    for word in "the cat and the dog and the bird".split(' ') {
        *map.entry(word).or_insert(0) += 1;
    }
    let sorted: BTreeMap<_, _> = map.iter().collect();
    println!("{sorted:?}");
    let mut queue: VecDeque<i32> = (1..=5).collect();
    queue.rotate_left(2);
    println!("{queue:?} {:?}", queue.iter().rev().step_by(2).collect::<Vec<_>>());
    let x: u128 = u128::MAX / 3;
    println!("{} {:x} {}", (x >> 70) as u64, x >> 3, (-5i64).rem_euclid(3));
    println!("{:?} {:?} {:?}", 200u8.checked_add(100), 200u8.wrapping_add(100), 200u8.saturating_add(100));
    println!("{:>8}|{:<8}|{:^8}|{:08.3}", "right", "left", "mid", 3.14159);
    let text: String = "héllo".chars().rev().collect();
    println!("{text} {} {:?}", text.len(), "a=1,b=2".split_once(','));
    println!("{:?} {:?}", "12".parse::<i32>(), "x".parse::<i32>().is_err());
    let mut numbers = vec![5, 3, 8, 1];
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    println!("{numbers:?} {}", numbers.iter().fold(0, |a, b| a * 10 + b));
    std::process::exit(7);
}
