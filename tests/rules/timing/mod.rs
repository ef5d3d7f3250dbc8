//! The timing rules, by their numbers (`rule_15`), and their worked values (`T9`).

mod arbiter;
mod bonus;
mod calls_and_knocks;
mod flag;
mod forms;
mod late;
mod lines;
mod periods;
mod settings;
mod start;
mod take_back;
mod text;
mod unwritten;
mod worked;
