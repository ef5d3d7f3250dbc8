//! What other programs rely on: the log's lines, what `replay` prints, and which command is allowed when.

mod allowed;
mod commands;
mod lines;
mod printed;
