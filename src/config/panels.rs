//! `[panels]`, `[panels.left]` and `[panels.right]`.

use crate::clock::time::Span;
use crate::document::{Fields, Report, Value, value};
use crate::panel::geometry::{ColourOrder, Geometry, Rotation};

use super::{Panels, sections};

pub(super) fn read(fields: &Fields<'_>, panels: &mut Panels, report: &mut Report<'_>) {
    fields.read("repair_redraw", &mut panels.repair_redraw, report, repair_redraw);
    fields.read("brightness", &mut panels.brightness, report, value::whole(0..=100));
    fields.read("dim_after", &mut panels.dim_after, report, dim_after);
    fields.read("dim_brightness", &mut panels.dim_brightness, report, value::whole(0..=100));
    fields.read("left_pwm", &mut panels.left_pwm, report, sections::path_or_none);
    fields.read("right_pwm", &mut panels.right_pwm, report, sections::path_or_none);
    fields.read("spi_hz", &mut panels.spi_hz, report, value::whole(1..=Panels::MAX_SPI_HZ.into()));
    fields.read("bufsiz", &mut panels.bufsiz, report, value::whole(64..=65_536));
    fields.read("left_spi", &mut panels.left_spi, report, sections::absolute_path);
    fields.read("right_spi", &mut panels.right_spi, report, sections::absolute_path);
    if panels.left_spi == panels.right_spi {
        let key = if fields.get("right_spi").is_some() { "right_spi" } else { "left_spi" };
        let device = panels.left_spi.display();
        report.at(
            fields.place(key),
            format!("both panels are on {device}; each has its own chip select, so its own device"),
        );
    }
    for (key, name, geometry) in
        [("left", "panels.left", &mut panels.left), ("right", "panels.right", &mut panels.right)]
    {
        if let Some(table) = fields.table(key, report) {
            let fields = sections::open(table, name, report);
            read_geometry(&fields, geometry, report);
        }
    }
}

/// Never, or between one second and one hour.
fn repair_redraw(written: &Value<'_>) -> Result<Span, String> {
    let span = value::span(Span::ZERO..=Span::from_secs(3600))(written)?;
    if span.is_zero() || span >= Span::from_secs(1) {
        Ok(span)
    } else {
        Err("it is a time from 1s to 1h, or \"0\" for never".into())
    }
}

/// Never, or between ten seconds and a day.
fn dim_after(written: &Value<'_>) -> Result<Span, String> {
    let span = value::span(Span::ZERO..=Span::from_secs(86_400))(written)?;
    if span.is_zero() || span >= Span::from_secs(10) {
        Ok(span)
    } else {
        Err("it is a time from 10s to 24h, or \"0\" for never".into())
    }
}

fn read_geometry(fields: &Fields<'_>, geometry: &mut Geometry, report: &mut Report<'_>) {
    let (columns, rows) = (Geometry::MEMORY_WIDTH, Geometry::MEMORY_HEIGHT);
    fields.read("width", &mut geometry.width, report, value::whole(1..=columns.into()));
    fields.read("height", &mut geometry.height, report, value::whole(1..=rows.into()));
    fields.read("offset_x", &mut geometry.offset_x, report, value::whole(0..=i64::from(columns) - 1));
    fields.read("offset_y", &mut geometry.offset_y, report, value::whole(0..=i64::from(rows) - 1));
    fields.read("rotation", &mut geometry.rotation, report, |written| {
        let degrees = value::integer(written).and_then(|degrees| u16::try_from(degrees).ok());
        let rotation = degrees.and_then(|degrees| Rotation::try_from(degrees).ok());
        rotation.ok_or_else(|| "it is 0, 90, 180 or 270, in degrees".into())
    });
    fields.read("colour_order", &mut geometry.colour_order, report, value::choice(&["rgb", "bgr"], colour_order));
    fields.read("inverted", &mut geometry.inverted, report, value::boolean);
    for (extent, offset, sum, bound, what) in [
        ("width", "offset_x", geometry.width.saturating_add(geometry.offset_x), columns, "columns"),
        ("height", "offset_y", geometry.height.saturating_add(geometry.offset_y), rows, "rows"),
    ] {
        if sum > bound {
            let key = if fields.get(offset).is_some() { offset } else { extent };
            let message = format!(
                "`{extent}` and `{offset}` make {sum}, but the controller's memory has {bound} {what}; make one smaller"
            );
            report.at(fields.place(key), message);
        }
    }
}

fn colour_order(name: &str) -> Option<ColourOrder> {
    match name {
        "rgb" => Some(ColourOrder::Rgb),
        "bgr" => Some(ColourOrder::Bgr),
        _ => None,
    }
}
