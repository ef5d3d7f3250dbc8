//! Defects in words.

use super::Explained;
use super::words::{days, ordinal, spoken};
use crate::correspondence::days::When;
use crate::correspondence::reckoning::{Defect, Trouble};
use crate::correspondence::record::Record;
use crate::correspondence::rulebook::{Clause, Count};

/// A defect, without the number of its move.
pub fn defect(record: &Record, defect: &Defect) -> Explained {
    let (place, reading) = source(record, &defect.trouble);
    Explained::new(&place, reading, sentence(record, &defect.trouble))
}

fn sentence(record: &Record, trouble: &Trouble) -> String {
    match trouble {
        Trouble::Missing(_)
        | Trouble::Twice
        | Trouble::OutOfTurn(..)
        | Trouble::AfterEnd
        | Trouble::DuringClaim
        | Trouble::OnLeave
        | Trouble::VariantForbidden
        | Trouble::NotRegistered(_)
        | Trouble::RegisteredDemanded
        | Trouble::RepeatNotRegistered => letter_sentence(trouble),
        Trouble::Unreadable(_)
        | Trouble::Impossible(_)
        | Trouble::Ambiguous(..)
        | Trouble::WrongRepetition(..)
        | Trouble::WrongVariant(_)
        | Trouble::Changed(..)
        | Trouble::MovesLost => move_sentence(trouble),
        _ => date_sentence(record, trouble),
    }
}

fn letter_sentence(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Missing(item) => format!("the letter lacks the {}", item.name()),
        Trouble::Twice => "the same letter stands in the record twice and counts once".into(),
        Trouble::OutOfTurn(by, number) => format!("it was {}'s turn to send move {number}", by.title()),
        Trouble::AfterEnd => "sent after the game was over; nothing is charged".into(),
        Trouble::DuringClaim => "sent while play rested for a claim; nothing is charged".into(),
        Trouble::OnLeave => "a move during one's own leave, which the server refuses".into(),
        Trouble::VariantForbidden => "variants may not be offered here".into(),
        Trouble::NotRegistered(left) => {
            format!("time trouble, {} left to the control: the reply has to go registered, no receipt", days(*left))
        }
        Trouble::RegisteredDemanded => "registered letters are demanded in this event, and there is no receipt".into(),
        Trouble::RepeatNotRegistered => "a repeat goes registered, and there is no receipt".into(),
        _ => String::new(),
    }
}

fn move_sentence(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Unreadable(text) => format!("\"{text}\" cannot be read as a move; ask the partner"),
        Trouble::Impossible(text) => format!("\"{text}\" is not possible in the position; ask the partner"),
        Trouble::Ambiguous(text, moves) => {
            format!("\"{text}\" can be {}; nothing is guessed, ask the partner", moves.join(" or "))
        }
        Trouble::WrongRepetition(written, right) => {
            format!("repeats the partner's move as \"{written}\", it was {right}")
        }
        Trouble::WrongVariant(text) => {
            format!("accepts \"{text}\", which is not how the variant was offered; the reply is not valid")
        }
        Trouble::Changed(written, right) => {
            format!("sends \"{written}\" for a move that was {right} and cannot be changed")
        }
        Trouble::MovesLost => "no move in the record here; the moves after it are not checked".into(),
        _ => String::new(),
    }
}

fn date_sentence(record: &Record, trouble: &Trouble) -> String {
    let at = |when: &When| spoken(*when, &record.zone);
    let on = |date| spoken(When::Day(date), &record.zone);
    match trouble {
        Trouble::SentBeforeReceived(sent, received) => {
            format!("sent {} before it was received {}: no days, no credit", at(sent), at(received))
        }
        Trouble::ReceivedBeforeSent(received, sent) => {
            format!("received {} before the partner sent {}", at(received), at(sent))
        }
        Trouble::NoSending => "no date of sending: the days are undetermined until it is cleared up".into(),
        Trouble::NoReceipt => {
            "no date of receipt: the days are undetermined until it is known or the judge sets one".into()
        }
        Trouble::AverageReceipt(average) => {
            format!("no date of receipt: the average transit of {} is taken", days(*average))
        }
        Trouble::AnswerLate(taken, free) => format!("took {}, free are {free}", days(*taken)),
        Trouble::TotalsDiffer(stated, reckoned) => {
            format!("states {}/{}, reckoned are {}/{}", stated.0, stated.1, reckoned.0, reckoned.1)
        }
        Trouble::FirstDateDiffers(repeated, counts) => {
            format!("repeats the partner's sending date as {}, what counts is {}", on(*repeated), on(*counts))
        }
        Trouble::CorrectionLapsed(stated, postmark) => format!(
            "does not correct the partner's date {} to the postmark {}; the right has lapsed",
            on(*stated),
            on(*postmark)
        ),
        Trouble::CorrectionTooLate(number) => {
            format!("a correction of move {number} is refused: it belonged in the very next reply")
        }
        Trouble::OmissionLapsed => {
            "the penalty for the omission was not charged in the next reply; the right has lapsed".into()
        }
        Trouble::FirstOmission => "leaves out dates or totals for the first time: a remark, no penalty".into(),
        Trouble::Proposed(offence, nth, penalty) => format!(
            "{}: +{penalty} ({} time) if that delayed the game; put it to account by a [[penalty]]",
            offence.words(),
            ordinal(*nth)
        ),
        Trouble::LeaveOverBudget(from, excess) => {
            format!(
                "{} of the leave from {} are over the budget and count as thinking time",
                days(i32::try_from(*excess).unwrap_or(i32::MAX)),
                on(*from)
            )
        }
        Trouble::LeaveLate(from, counts) => {
            format!("the leave from {} was told late and counts from {}", on(*from), on(*counts))
        }
        Trouble::ClaimLate(reply) => {
            format!("the claim is too late: the control move was answered in the ordinary way on {}", on(*reply))
        }
        Trouble::ClaimWithReply => "an ordinary reply went out on the day of the claim; it is in time".into(),
        Trouble::PartnerNotTold => "no registered letter to the partner about the overstep is noted".into(),
        Trouble::NoClaim => "a decision, and no claim is open".into(),
        Trouble::NoSuchLetter => "the judge's dates are for a letter that is not in the record".into(),
        Trouble::ObjectionLate(last) => format!("the objection came after {}, the last day for it", on(*last)),
        Trouble::ProtestLate(last) => format!("the protest came after {}, the last day for it", on(*last)),
        Trouble::QueryLate(last) => {
            format!("the judge's query was answered after {}, the last day for it; he may exclude", on(*last))
        }
        Trouble::AccessAgain => "access was lost a second time in a calendar year, which is not allowed".into(),
        Trouble::AccessWithdrawn(last) => format!("access was not back by {}: out of the event", on(*last)),
        _ => String::new(),
    }
}

/// Clause and number of the reading, 0 for none.
fn source(record: &Record, trouble: &Trouble) -> (Clause, u8) {
    let rules = &record.rulebook.rules;
    let hours = rules.count.value == Count::Hours;
    let (rule, reading) = match trouble {
        Trouble::SentBeforeReceived(..) => (&rules.first_date.clause, 2),
        Trouble::NoSending | Trouble::FirstDateDiffers(..) | Trouble::NoSuchLetter => (&rules.first_date.clause, 0),
        Trouble::NoReceipt => (&rules.average_transit.clause, if rules.average_transit.value { 31 } else { 0 }),
        Trouble::AverageReceipt(_) => (&rules.average_transit.clause, 31),
        Trouble::CorrectionLapsed(..) | Trouble::CorrectionTooLate(_) => (&rules.first_date.clause, 30),
        Trouble::OmissionLapsed | Trouble::FirstOmission => (&rules.omission_penalty.clause, 32),
        Trouble::Proposed(..) => (&rules.penalty_first.clause, 9),
        Trouble::NotRegistered(_) | Trouble::RegisteredDemanded => (&rules.registered_at.clause, 0),
        Trouble::RepeatNotRegistered => (&rules.repeat_after.clause, 0),
        Trouble::AnswerLate(..) => (&rules.report_free_days.clause, 7),
        Trouble::LeaveOverBudget(..) => (&rules.leave_days.clause, 17),
        Trouble::LeaveLate(..) => (&rules.leave_days.clause, 16),
        Trouble::OnLeave => (&rules.moves_on_leave.clause, 0),
        Trouble::VariantForbidden | Trouble::WrongVariant(_) => (&rules.variants.clause, 0),
        Trouble::ClaimLate(_) | Trouble::ClaimWithReply => (&rules.claim_with_reply.clause, 19),
        Trouble::PartnerNotTold | Trouble::NoClaim | Trouble::DuringClaim => (&rules.loss.clause, 0),
        Trouble::ObjectionLate(_) => (&rules.objection.clause, 20),
        Trouble::ProtestLate(_) => (&rules.protest.clause, 20),
        Trouble::QueryLate(_) => (&rules.judge_query.clause, 20),
        Trouble::AccessAgain | Trouble::AccessWithdrawn(_) => (&rules.access_days.clause, 27),
        Trouble::Missing(_) | Trouble::TotalsDiffer(..) if rules.omission_penalty.value.is_some() => {
            (&rules.omission_penalty.clause, 0)
        }
        Trouble::Impossible(_) | Trouble::Unreadable(_) | Trouble::Ambiguous(..) | Trouble::Changed(..)
            if rules.impossible_move_query.value.is_some() =>
        {
            (&rules.impossible_move_query.clause, 0)
        }
        Trouble::Missing(_) | Trouble::TotalsDiffer(..) | Trouble::WrongRepetition(..) if !hours => {
            (&rules.variants.clause, 0)
        }
        _ => (&rules.count.clause, 0),
    };
    (rule.clone(), reading)
}
