//! What is wrong with the arguments, in one sentence like every other error.

use clap::error::ErrorKind;

use super::Exit;

/// Prints the help or version that was asked for, or says what is wrong.
pub fn refuse(error: &clap::Error) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Whoever reads it may have gone away.
            let _ = error.print();
            if error.use_stderr() { Exit::WrongArguments } else { Exit::Done }
        }
        _ => {
            let verb = std::env::args().nth(1).filter(|verb| !verb.starts_with('-')).unwrap_or_default();
            eprintln!("zeitnot: {}", sentence(&error.render().to_string(), &verb));
            Exit::WrongArguments
        }
    }
}

/// One sentence of a text in paragraphs: the error, the tips, and where to read on. Where the text has no usage, the
/// help of `verb` says more.
fn sentence(text: &str, verb: &str) -> String {
    let mut parts = Vec::new();
    let mut verb = format!("zeitnot {verb}").trim_end().to_owned();
    for paragraph in text.split("\n\n") {
        let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(what) = line.strip_prefix("error: ") {
            parts.push(what.to_owned());
        } else if line.starts_with("tip: ") {
            parts.extend(line.split("tip: ").map(str::trim).filter(|tip| !tip.is_empty()).map(str::to_owned));
        } else if let Some(usage) = line.strip_prefix("Usage: ") {
            let words = usage.split(' ').take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
            verb = words.collect::<Vec<_>>().join(" ");
        }
    }
    parts.push(format!("`{verb} --help` says more"));
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_become_one_sentence() {
        for (text, wanted) in [
            (
                "error: unrecognized subcommand 'simulat'\n\n  tip: a similar subcommand exists: 'simulate'\n\n\
                 Usage: zeitnot <COMMAND>\n\nFor more information, try '--help'.\n",
                "unrecognized subcommand 'simulat'; a similar subcommand exists: 'simulate'; \
                 `zeitnot --help` says more",
            ),
            (
                "error: the following required arguments were not provided:\n  <FILE>\n\n\
                 Usage: zeitnot replay <FILE>\n\nFor more information, try '--help'.\n",
                "the following required arguments were not provided: <FILE>; `zeitnot replay --help` says more",
            ),
            (
                "error: invalid value 'x' for '--listen <ADDR>': invalid socket address syntax\n\n\
                 For more information, try '--help'.\n",
                "invalid value 'x' for '--listen <ADDR>': invalid socket address syntax; \
                 `zeitnot simulate --help` says more",
            ),
        ] {
            assert_eq!(sentence(text, "simulate"), wanted);
        }
    }
}
