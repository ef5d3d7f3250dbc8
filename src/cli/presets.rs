//! `zeitnot presets`: the built-in time controls, one a line.

use std::io::{self, Write};

use crate::clock::preset::Presets;

/// Prints number, name and notation in columns, or JSON Lines with `number`, `name`, `control` and `settings`.
///
/// # Errors
/// What `out` answers.
pub fn run(json: bool, out: &mut impl Write) -> io::Result<()> {
    let presets = Presets::built_in();
    let width = presets.as_slice().iter().map(|preset| preset.name.chars().count()).max().unwrap_or(0);
    for preset in presets.as_slice() {
        if json {
            serde_json::to_writer(&mut *out, preset)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{:>3}  {:width$}  {}", preset.number, preset.name, preset.control)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(json: bool) -> String {
        let mut out = Vec::new();
        run(json, &mut out).expect("a vector takes all");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn one_line_each_in_columns() {
        let text = printed(false);
        assert_eq!(text.lines().count(), 40);
        let line = text.lines().nth(12).expect("number 13");
        let columns: Vec<&str> = line.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
        assert_eq!(columns, ["13", "Fischer 1 h 30 min, 30 min, + 30 s", "40/90m+30s:30m+30s"]);
    }

    #[test]
    fn one_json_object_each() {
        let objects: Vec<serde_json::Value> =
            printed(true).lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
        assert_eq!(objects.len(), 40);
        assert_eq!(
            objects[12],
            serde_json::json!({
                "number": 13,
                "name": "Fischer 1 h 30 min, 30 min, + 30 s",
                "control": "40/90m+30s:30m+30s",
                "settings": {"advance": "expiry_both"},
            })
        );
    }
}
