//! One small file per verb: it reads its arguments' meaning, calls a room, prints what came back.
pub mod check_config;
pub mod presets;
