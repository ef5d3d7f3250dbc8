//! The kinds of postal examples.

use serde_json::{Map, Value, json};
use zeitnot::correspondence::claim::{self, Verdict};
use zeitnot::correspondence::days::{self, Date};
use zeitnot::correspondence::duty::{self, Bounds};
use zeitnot::correspondence::evidence::{Receiving, Sending, average_transit, first_date};
use zeitnot::correspondence::leave::{Budget, Credit};
use zeitnot::correspondence::limit::{Figures, control_of, limit, time_trouble};
use zeitnot::correspondence::penalty::{self, Ladder, Offence};
use zeitnot::correspondence::rulebook::{Beyond, Rules};

use super::Answer;
use super::inputs::{Inputs, number};

/// An object as an answer.
pub(crate) fn object(value: Value) -> Answer {
    value.as_object().cloned().ok_or_else(|| "no object".to_owned())
}

fn warned(mut answer: Map<String, Value>, reversed: bool) -> Answer {
    if reversed {
        answer.insert("warning".into(), "sent_before_received".into());
    }
    Ok(answer)
}

fn needed<T>(value: Option<T>, what: &str) -> Result<T, String> {
    value.ok_or_else(|| format!("this rulebook has no {what}"))
}

pub(crate) fn budget(rules: &Rules, inputs: &Inputs<'_>) -> Result<Budget, String> {
    let extra = inputs.number_if("leave_extra")?.unwrap_or(0);
    let mut budget = Budget { extra, ..rules.leave_budget(0) };
    if let Some(cap) = inputs.number_if("leave_cap")? {
        budget.a_year = cap;
    }
    Ok(budget)
}

pub(crate) fn reflection(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let leave = Credit::of(&inputs.leaves()?, budget(rules, inputs)?);
    let start = inputs.date_if("effective_start")?;
    let closing = inputs.date_if("end_date")?;
    let bounds = Bounds { start, closing, leave: Some(&leave) };
    let thinking = duty::thinking(inputs.date("received")?, inputs.date("sent")?, bounds);
    let forgiven = thinking.closed || start.is_some_and(|start| inputs.date("sent").is_ok_and(|sent| sent < start));
    warned(object(json!({"days": thinking.days}))?, thinking.reversed && !forgiven)
}

fn start(rules: &Rules, inputs: &Inputs<'_>) -> Result<Date, String> {
    let notice = inputs.date_if("notice_received")?;
    Ok(duty::effective_start(inputs.date("official_start")?, notice, rules.late_start_after.value))
}

pub(crate) fn effective_start(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    object(json!({"effective_start": start(rules, inputs)?.to_string()}))
}

pub(crate) fn first_move(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let start = start(rules, inputs)?;
    let thinking = duty::thinking(start, inputs.date("sent")?, Bounds::default());
    object(json!({"effective_start": start.to_string(), "days": thinking.days}))
}

fn sending(inputs: &Inputs<'_>) -> Result<Option<Date>, String> {
    let evidence = Sending {
        stated: inputs.date_if("stated")?,
        stamps: inputs.dates_if("stamps")?,
        receipt: inputs.date_if("registered_receipt")?,
    };
    inputs.date_if("noted")?;
    Ok(evidence.choose().map(|(date, _)| date))
}

fn receiving(inputs: &Inputs<'_>) -> Result<Option<Date>, String> {
    let evidence = Receiving { stamps: inputs.dates_if("stamps")?, noted: inputs.date_if("noted")? };
    inputs.date_if("stated")?;
    inputs.date_if("registered_receipt")?;
    Ok(evidence.choose().map(|(date, _)| date))
}

pub(crate) fn postmark(inputs: &Inputs<'_>) -> Answer {
    let date = match inputs.text("role")? {
        "sender" => sending(inputs)?,
        "receiver" => receiving(inputs)?,
        other => return Err(format!("the role {other} is unknown")),
    };
    object(json!({"date": date.map(|date| date.to_string())}))
}

pub(crate) fn reflection_from_stamps(inputs: &Inputs<'_>) -> Answer {
    let (received, sent) = (Inputs::new(inputs.need("received")?)?, Inputs::new(inputs.need("sent")?)?);
    let chosen = (receiving(&received)?.ok_or("no receipt")?, sending(&sent)?.ok_or("no sending")?);
    received.all_read()?;
    sent.all_read()?;
    let thinking = duty::thinking(chosen.0, chosen.1, Bounds::default());
    let answer = json!({"received": chosen.0.to_string(), "sent": chosen.1.to_string(), "days": thinking.days});
    warned(object(answer)?, thinking.reversed)
}

pub(crate) fn exempt_reply(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let (free, beyond) = match inputs.text("reason")? {
        "impossible_move" => (rules.report_free_days.value, rules.report_beyond.value),
        "answer_to_repeat" => (rules.repeat_free_days.value, rules.repeat_beyond.value),
        other => return Err(format!("the reason {other} is unknown")),
    };
    let policy = inputs.text_if("policy")?.map(|name| Beyond::from_name(name).ok_or(format!("the policy {name}")));
    let beyond = policy.transpose()?.unwrap_or(beyond);
    let thinking = duty::thinking(inputs.date("received")?, inputs.date("sent")?, Bounds::default());
    object(json!({"days": duty::beyond_free(thinking.days, free, beyond)}))
}

fn offences(values: &[Value]) -> Result<Vec<Offence>, String> {
    let one = |value: &Value| {
        let known = value.as_str().and_then(Offence::from_name).filter(|kind| *kind != Offence::Omission);
        known.ok_or_else(|| format!("the offence {value} is unknown"))
    };
    values.iter().map(one).collect()
}

pub(crate) fn penalties(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let list = offences(inputs.list("offences")?)?;
    let entered = offences(inputs.list_if("as_entered")?)?;
    if !entered.is_empty() && entered != list {
        return Err("as_entered does not mean the same offences".into());
    }
    let mut ladder = Ladder::default();
    let days: Result<Vec<u16>, String> =
        list.iter().map(|kind| needed(penalty::days(rules, *kind, ladder.next(*kind), true), "penalty days")).collect();
    let days = days?;
    object(json!({"total": days.iter().sum::<u16>(), "penalties": days}))
}

pub(crate) fn penalties_ru(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let charged = Inputs::objects(inputs.list("omissions")?, |omission| {
        omission.boolean_if("charged_in_next_reply")?.ok_or_else(|| "charged_in_next_reply is missing".into())
    })?;
    let mut ladder = Ladder::default();
    let days: Result<Vec<u16>, String> = charged
        .iter()
        .map(|charged| {
            let nth = ladder.next(Offence::Omission);
            needed(penalty::days(rules, Offence::Omission, nth, *charged), "penalty days for omissions")
        })
        .collect();
    let days = days?;
    object(json!({"total": days.iter().sum::<u16>(), "penalties": days}))
}

pub(crate) fn fraction(inputs: &Inputs<'_>) -> Answer {
    let moves = Inputs::objects(inputs.list("moves")?, |item| {
        let thinking = duty::thinking(item.date("received")?, item.date("sent")?, Bounds::default());
        let white = match item.text("side")? {
            "w" => true,
            "b" => false,
            other => return Err(format!("the side {other} is unknown")),
        };
        Ok((white, thinking.days + item.number_if::<i32>("penalty")?.unwrap_or(0)))
    })?;
    let total = |side: bool| moves.iter().filter(|(white, _)| *white == side).map(|(_, days)| days).sum::<i32>();
    object(json!({"fraction": format!("{}/{}", total(true), total(false))}))
}

pub(crate) fn repeat(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let after = needed(rules.repeat_after.value, "repeats")?;
    let repeated = inputs.date_if("repeat_sent")?;
    let repeat = duty::repeat(inputs.date("sent")?, repeated, after, &[]);
    let mut answer = object(json!({"due": repeat.due.to_string()}))?;
    if let Some(repeated) = repeated {
        answer.insert("added_days".into(), repeat.late.into());
        if let Some(report) = rules.report_after.value {
            answer.insert("judge_report_due".into(), duty::last_day(repeated, report).to_string().into());
        }
    }
    Ok(answer)
}

pub(crate) fn first_move_query(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let after = needed(rules.first_move_query_after.value, "query for the first move")?;
    object(json!({"due": duty::last_day(inputs.date("start")?, after).to_string()}))
}

pub(crate) fn silence(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let months = needed(rules.silence_months.value, "months of silence")?;
    object(json!({"reached": duty::silence(inputs.date("last_move")?, months).to_string()}))
}

pub(crate) fn variant_booking(inputs: &Inputs<'_>) -> Answer {
    let thinking = duty::thinking(inputs.date("received")?, inputs.date("sent")?, Bounds::default());
    let booked: u16 = match inputs.text("role")? {
        "proposer" => {
            let first = inputs.number("first_variant_move")?;
            let moves: Result<Vec<u16>, String> = inputs.list("moves")?.iter().map(number).collect();
            if !moves?.contains(&first) {
                return Err("the first move of the variant is not among its moves".into());
            }
            first
        }
        "receiver" => {
            let accepted: Result<Vec<u16>, String> = inputs.list("accepted")?.iter().map(number).collect();
            accepted?;
            inputs.number("reply_to_last_accepted")?
        }
        other => return Err(format!("the role {other} is unknown")),
    };
    object(json!({"days": thinking.days, "booked_on_move": booked}))
}

pub(crate) fn overstep(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let per10 = inputs.number_if("per10")?.unwrap_or(rules.overstep_days.value);
    let limit = limit(per10, rules.control_moves.value, rules.carry.value, inputs.number("move")?);
    let used: i32 = inputs.number("used")?;
    object(json!({"limit": limit, "exceeded": used > limit, "remaining": limit - used}))
}

pub(crate) fn overstep_variant(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let moves: Result<Vec<u16>, String> = inputs.list("variant_moves")?.iter().map(number).collect();
    moves?;
    let per10 = inputs.number_if("per10")?.unwrap_or(rules.overstep_days.value);
    let limit = limit(per10, rules.control_moves.value, rules.carry.value, inputs.number("compulsory_move")?);
    let used: i32 = inputs.number("used")?;
    object(json!({"limit": limit, "exceeded": used > limit, "remaining": limit - used}))
}

pub(crate) fn standing(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let figures = Figures::at(rules, inputs.number("move")?, inputs.number("used")?);
    object(json!({
        "allowance_limit": figures.allowance, "allowance_left": figures.allowance_left(),
        "overstep_limit": figures.overstep, "overstep_left": figures.overstep_left(),
        "status": figures.standing().name(),
    }))
}

pub(crate) fn registered_needed(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let per10 = inputs.number_if("per10")?.unwrap_or(rules.allowance_days.value);
    let limit = limit(per10, rules.control_moves.value, rules.carry.value, inputs.number("next_move")?);
    let remaining = limit - inputs.number::<i32>("used")?;
    object(json!({"remaining": remaining, "must_register": time_trouble(remaining, rules.registered_at.value)}))
}

pub(crate) fn leave_credit(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let extra = inputs.number_if("extra")?.unwrap_or(0);
    let mut budget = Budget { extra, ..rules.leave_budget(0) };
    if let Some(cap) = inputs.number_if("cap")? {
        budget.a_year = cap;
    }
    let credit = Credit::of(&inputs.leaves()?, budget);
    let years: Map<String, Value> =
        credit.years.iter().map(|(year, days)| (year.to_string(), Value::from(*days))).collect();
    object(json!({"credited": years, "last_credited_day": credit.last_day().map(|day| day.to_string())}))
}

pub(crate) fn claim(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let (received, sent) = (inputs.date("partner_control_move_received")?, inputs.date("claim_sent")?);
    let admissible = claim::admissible(rules, inputs.date_if("claimant_reply_to_control_sent")?, sent);
    let verdict = inputs.text_if("decision")?.map(|name| Verdict::from_name(name).ok_or(format!("decision {name}")));
    let forwarded = inputs.date_if("partner_received_forwarded_move")?;
    let set = inputs.number_if("penalty")?;
    let thinking = duty::thinking(received, sent, Bounds::default());
    let mut answer = object(json!({"admissible": admissible}))?;
    if !admissible {
        answer.insert("result".into(), "claim_refused_late".into());
        return Ok(answer);
    }
    answer.insert("claimant_days_for_this_move".into(), thinking.days.into());
    answer.insert("suspended_from".into(), sent.to_string().into());
    if let Some(verdict) = verdict.transpose()? {
        answer.insert("result".into(), verdict.result().into());
        answer.insert("claimant_penalty".into(), claim::penalty(rules, verdict, set).into());
    }
    if let Some(forwarded) = forwarded {
        answer.insert("partner_clock_from".into(), forwarded.to_string().into());
        answer.insert("uncharged_days".into(), days::between(sent, forwarded).into());
    }
    Ok(answer)
}

pub(crate) fn first_date_correction(inputs: &Inputs<'_>) -> Answer {
    let in_next = inputs.boolean_if("corrected_in_next_reply")?.unwrap_or(false);
    let first = first_date(inputs.date("stated")?, inputs.date_if("postmark")?, in_next);
    let total = inputs.number::<i32>("partner_total")? + first.correction;
    object(json!({"first_date": first.date.to_string(), "correction": first.correction, "partner_total": total}))
}

pub(crate) fn missing_receipt(inputs: &Inputs<'_>) -> Answer {
    let transits: Result<Vec<i64>, String> = inputs.list("known_transits")?.iter().map(number).collect();
    let transits = transits?;
    let count = i64::try_from(transits.len()).map_err(|error| error.to_string())?;
    let average = average_transit(transits.iter().sum(), count).ok_or("no transit is known: the judge decides")?;
    let received = days::after(inputs.date("partner_sent")?, average);
    let thinking = duty::thinking(received, inputs.date("sent")?, Bounds::default());
    let answer = json!({"average": average, "received": received.to_string(), "days": thinking.days});
    warned(object(answer)?, thinking.reversed)
}

pub(crate) fn deadline(rules: &Rules, inputs: &Inputs<'_>) -> Answer {
    let term = inputs.text_if("term")?;
    let named = term.and_then(|name| rules.term(name)).map(|(days, _)| days);
    let days = match inputs.number_if("term_days")? {
        Some(days) => days,
        None => named.ok_or_else(|| format!("this rulebook has no term {term:?}"))?,
    };
    object(json!({"last_day": duty::last_day(inputs.date("received")?, days).to_string()}))
}

/// For `server_clock`: the control of a move.
pub(crate) fn is_control(rules: &Rules, number: u16) -> bool {
    control_of(number, rules.control_moves.value) != control_of(number.saturating_add(1), rules.control_moves.value)
}
