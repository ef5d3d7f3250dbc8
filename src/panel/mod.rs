//! What a player sees: a snapshot of the game becomes a face, the face a frame in memory, the frame bytes for a panel.
//!
//! Each step is a file: [`face`] decides (pure), [`draw`] paints into a [`frame`] that [`canvas`] keeps, [`areas`] finds what changed (pure),
//! [`driver`] sends it over the [`bus`], [`painter`] does that for both panels and says when to look again.
//! [`virtual_panel`] is the other end of the wire for a machine without panels: it decodes the bytes back into a
//! picture, and [`read_back`] reads the time from such a picture. [`days`] is the face of a game by correspondence,
//! shown while no game is played over the board; an [`invite`] is shown on [`leaf`]s in place of a clock that does not
//! run, one of them a QR [`code`]; so is their own [`menu`]. No step knows the realtime thread, the network or
//! the journal, and none reads a clock: the caller says what time it is.
pub mod areas;
pub mod bus;
pub mod canvas;
pub mod code;
pub mod days;
pub mod digits;
pub mod draw;
pub mod driver;
pub mod face;
pub mod frame;
pub mod geometry;
pub mod invite;
pub mod layout;
pub mod leaf;
pub mod lettering;
pub mod menu;
pub mod moments;
pub mod notes;
pub mod painter;
pub mod palette;
pub mod read_back;
pub mod strips;
pub mod symbols;
pub mod virtual_chip;
pub mod virtual_panel;
pub mod words;
