//! How fast correspondence games are reckoned: ten thousand games of forty letters in memory, and one long game from
//! text to table.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use zeitnot::clock::side::Colour;
use zeitnot::correspondence::days::{When, after};
use zeitnot::correspondence::record::{self, Letter};
use zeitnot::correspondence::schedule::{schedule, table};
use zeitnot::correspondence::{Date, Record, Rulebook, reckon};

/// A game of so many letters, each three to nine days on the way and up to four days thought about.
fn game(rulebook: &Arc<Rulebook>, letters: u16, seed: u32) -> Record {
    let mut day: Date = "2025-01-10".parse().expect("a date");
    let mut record = Record::new(Arc::clone(rulebook), When::Day(day));
    let mut die = seed;
    for index in 0..letters {
        die = die.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let transit = i32::try_from(3 + (die >> 24) % 7).unwrap_or(3);
        let thought = i32::try_from((die >> 16) % 5).unwrap_or(0);
        let received = if index == 0 { day } else { after(day, transit) };
        day = after(received, thought);
        let by = if index % 2 == 0 { Colour::White } else { Colour::Black };
        record.letters.push(Letter::of_move(by, index / 2 + 1, When::Day(received), When::Day(day)));
    }
    record
}

fn many_games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reckon");
    group.sample_size(10);
    for name in ["ua-postal", "ru-postal"] {
        let rulebook = Arc::new(Rulebook::built_in(name).expect("built in"));
        let games: Vec<Record> = (0..10_000).map(|seed| game(&rulebook, 40, seed)).collect();
        group.throughput(Throughput::Elements(400_000));
        group.bench_function(format!("{name}, 10 000 games of 40 letters"), |bencher| {
            bencher.iter(|| games.iter().map(|game| black_box(reckon(game)).totals.white).sum::<i32>());
        });
    }
    group.finish();
}

fn one_game(criterion: &mut Criterion) {
    let rulebook = Rulebook::built_in("ua-postal").expect("built in");
    let text = record::write(&game(&Arc::new(rulebook.clone()), 120, 7), &rulebook);
    criterion.bench_function("text to table, 60 moves", |bencher| {
        bencher.iter(|| {
            let read = record::read("game.toml", black_box(&text), |_| Ok(rulebook.clone())).expect("a record");
            table(&schedule(&read, &reckon(&read), None))
        });
    });
}

criterion_group!(benches, many_games, one_game);
criterion_main!(benches);
