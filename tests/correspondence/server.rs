//! The kinds of examples on a server.

use jiff::tz::TimeZone;
use serde_json::json;
use zeitnot::correspondence::hours::{self, Pauses};
use zeitnot::correspondence::leave::Credit;
use zeitnot::correspondence::limit::limit;
use zeitnot::correspondence::rulebook::Rules;

use super::Answer;
use super::inputs::{Inputs, number};
use super::post::{budget, is_control, object};

fn pauses(rules: &Rules, inputs: &Inputs<'_>) -> Result<Pauses, String> {
    let leave = Credit::of(&inputs.leaves()?, budget(rules, inputs)?);
    Ok(Pauses::of_leave(&leave, &TimeZone::UTC))
}

pub(crate) fn charge(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let whole = pauses(rules, inputs)?.whole_days(inputs.instant("turn_started")?, inputs.instant("replied")?);
    object(json!({"whole_days": whole, "charged": hours::charge(whole, rules.doubled_after.value)}))
}

pub(crate) fn clock(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let per10 = inputs.number_if("per10")?.unwrap_or(rules.allowance_days.value);
    let limit = |number| limit(per10, rules.control_moves.value, rules.carry.value, number);
    let (mut total, mut exceeded, mut last) = (0, false, 1);
    for pair in inputs.list("moves")? {
        let pair = pair.as_array().filter(|pair| pair.len() == 2).ok_or("a move is a pair of numbers")?;
        last = number(&pair[0])?;
        total += hours::charge(number(&pair[1])?, rules.doubled_after.value);
        exceeded |= total > limit(last);
    }
    let mut answer = object(json!({
        "charged_total": total, "remaining_in_period": limit(last) - total, "exceeded": exceeded,
    }))?;
    if is_control(rules, last) {
        answer.insert("remaining_after_control_credit".into(), (limit(last + 1) - total).into());
    }
    Ok(answer)
}

pub(crate) fn flag(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let (turn, remaining) = (inputs.instant("turn_started")?, inputs.number("remaining")?);
    let flag = hours::flag(turn, remaining, rules.doubled_after.value, &pauses(rules, inputs)?);
    object(json!({
        "whole_days": flag.whole_days, "charged_then": flag.charged, "falls_at": flag.falls_at.to_string(),
    }))
}

pub(crate) fn reminders(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let (turn, pauses) = (inputs.instant("turn_started")?, pauses(rules, inputs)?);
    let forfeit = rules.forfeit_after.value.ok_or("this rulebook has no forfeit")?;
    let at = |days: u16| pauses.complete_at(turn, days.into()).to_string();
    let [first, second, last] = rules.reminders.value.0[..] else { return Err("not three reminders".into()) };
    object(json!({
        "first": at(first), "second": at(second), "last": at(last), "forfeit_possible_from": at(forfeit),
    }))
}

pub(crate) fn forfeit(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let (turn, asked, pauses) = (inputs.instant("turn_started")?, inputs.instant("asked_at")?, pauses(rules, inputs)?);
    let after = rules.forfeit_after.value.ok_or("this rulebook has no forfeit")?;
    let may = hours::may_be_forfeited(turn, asked, inputs.instant_if("intent_notice_at")?, after, &pauses);
    let charged = hours::charge(pauses.whole_days(turn, asked), rules.doubled_after.value);
    object(json!({"may_be_forfeited": may, "charged": charged}))
}

pub(crate) fn access_loss(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let days = rules.access_days.value.ok_or("this rulebook has no access loss")?;
    let earlier = inputs.dates_if("earlier_losses")?;
    let loss = hours::access_loss(inputs.date("lost")?, inputs.date_if("restored")?, &earlier, days);
    object(json!({"allowed": loss.allowed, "last_day": loss.last_day.to_string(), "withdrawn": loss.withdrawn}))
}

pub(crate) fn action(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let on_leave = inputs.boolean_if("on_leave")?.unwrap_or(false);
    let accepted = match inputs.text("action")? {
        "move" => !on_leave || rules.moves_on_leave.value,
        "propose_variant" => rules.variants.value && (!on_leave || rules.moves_on_leave.value),
        other => return Err(format!("the action {other} is unknown")),
    };
    object(json!({"accepted": accepted}))
}
