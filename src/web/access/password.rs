//! The arbiter's password: argon2id, kept as a hash alone, never a default.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use argon2::{Argon2, PasswordHash, PasswordHasher as _, PasswordVerifier as _};

/// The least characters: ASVS 5.0, 6.2.1 asks for 8 and recommends 15, which no list of common passwords reaches.
pub const LEAST: usize = 15;
/// The most characters (ASVS 5.0, 6.2.9: at least 64 are taken).
pub const MOST: usize = 128;
/// The longest hash that is read, in bytes.
const LONGEST: u64 = 512;

/// The file of the hash in the arbiter port's folder.
pub fn file(state: &Path) -> PathBuf {
    state.join("password")
}

/// The hash of a password (argon2id with the library's parameters, as OWASP has them: 19 MiB, two rounds), to be kept.
///
/// # Errors
/// One sentence: too short or too long, or the system has no random numbers.
pub fn hash(password: &str) -> Result<String, String> {
    let count = password.chars().count();
    if !(LEAST..=MOST).contains(&count) {
        return Err(format!("a password has {LEAST} to {MOST} characters, this one {count}; a few words are good"));
    }
    let hashed = Argon2::default().hash_password(password.as_bytes());
    hashed.map(|hash| hash.to_string()).map_err(|error| format!("the password cannot be hashed: {error}"))
}

/// Whether it is the password of this hash. Takes some hundred milliseconds on a small board, and 19 MiB.
pub fn is(password: &str, hash: &str) -> bool {
    let Ok(parsed) = PasswordHash::new(hash) else { return false };
    Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok()
}

/// The hash that is kept; `None`: there is no password.
pub fn read(state: &Path) -> Option<String> {
    let mut text = String::new();
    fs::File::open(file(state)).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Keeps a hash, or nothing any more; the file is its owner's alone, and its owner is the folder's.
///
/// # Errors
/// What the system answers.
pub fn keep(state: &Path, hash: Option<&str>) -> io::Result<()> {
    let path = file(state);
    match hash {
        Some(hash) => replace(&path, format!("{hash}\n").as_bytes()),
        None => match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        },
    }
}

/// Writes a file of secrets whole or not at all, for its folder's owner alone.
///
/// # Errors
/// What the system answers.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let new = path.with_extension("new");
    // One that a crash left behind may have other rights.
    let _ = fs::remove_file(&new);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    file.write_all(bytes)?;
    let owner = fs::metadata(folder)?;
    if file.metadata()?.uid() != owner.uid() {
        std::os::unix::fs::fchown(&file, Some(owner.uid()), Some(owner.gid()))?;
    }
    file.sync_all()?;
    fs::rename(&new, path)?;
    fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn asvs_11_4_2_a_password_is_kept_as_an_argon2id_hash_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()), None, "there is none by default (ASVS 6.3.2)");
        let hash = hash("four words of Riga").unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        keep(folder.path(), Some(&hash)).unwrap();
        let mode = fs::metadata(file(folder.path())).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let kept = read(folder.path()).unwrap();
        for (typed, right) in [("four words of Riga", true), ("four words of riga", false), ("", false)] {
            assert_eq!(is(typed, &kept), right, "{typed}");
        }
        keep(folder.path(), None).unwrap();
        keep(folder.path(), None).unwrap();
        assert_eq!(read(folder.path()), None);
    }

    #[test]
    fn asvs_6_2_1_and_6_2_9_a_password_has_a_least_and_a_most_length() {
        for (password, good) in
            [("short", false), (&*"x".repeat(14), false), (&"\u{e9}".repeat(15), true), (&"x".repeat(129), false)]
        {
            assert_eq!(hash(password).is_ok(), good, "{password}");
        }
        for broken in ["", "chess", "$argon2id$", "$argon2id$v=19$m=19456,t=2,p=1$AAAA"] {
            assert!(!is("four words of Riga", broken), "{broken}");
        }
    }
}
