//! Where each clause stands: the test that holds it (grep for its id), or why it is only recorded.
//!
//! | clause | held by |
//! | --- | --- |
//! | P2.1 | `appeal`, `protest` and their deadline: the terms of [`super::notices`]; queries, sanctions, addresses, and that an appeal's word is final are `[[query]]`, `[[note]]`, `[[protest]] outcome`: only recorded, because whoever decides is a judge |
//! | P2.2 | the kinds `postmark` and `reflection_from_stamps`; `p2_2_a_date_without_evidence…`; `the_judge_s_word…` |
//! | P2.3a | `p2_3a_…` in [`super::notation`]; that a correction is struck out and signed is only recorded: paper shows it |
//! | P2.3b | `r32_…` and `what_a_player_did_wrong…`: each thing that a letter lacks is named; what it lacks is the keeper's word |
//! | P2.3c | `p2_3c_an_accepted_variant…`, `what_a_player_did_wrong…` (changed moves, wrong variants); a card without its move is `card_without_move` |
//! | P2.3d | `p2_3d_what_is_no_move`, `P2.3d three days to ask`, `reports_repeats_and_answers` |
//! | P2.4a | `P2.4a a reply…`, the kinds `reflection`, `overstep`, `standing` |
//! | P2.4b | `P2.4b a late notice…`, `R06…` |
//! | P2.4c | `P2.4c a report…`, `R07`, `R08` |
//! | P2.4d | `r14_…`, the kind `variant_booking` |
//! | P2.4e | `r09_…`, `P2.4e a repeat five days late`; detected faults are proposed, a `[[penalty]]` or `faults` counts |
//! | P2.4f | `p2_4f_…` |
//! | P2.5 | `p2_5_and_ru10_3_4_…` |
//! | P2.6 | the tests of claims: `r03_…`, `r19_…`, `p2_6_…`, `the_effect_of_each_decision…`, `the_sealed_move…` |
//! | P2.7 | `leave_by_post`, `p2_7_…`, `r17_…`; that it is told to all partners and, registered, to the judge is only recorded |
//! | S3.1 | `s3_1_results_on_the_board…`, the kind `server_access_loss`, `s3_3_in_a_team…`; that captains first try among themselves is nobody's record |
//! | S3.2 | `s3_2_…`; mail is the ledger's |
//! | S3.3 | `s3_3_…`, the kinds `server_reminders` and `server_forfeit` |
//! | S3.4 | the judge's query in `s3_2_…`; who may see what is the ledger's |
//! | S3.5 | `s3_5_…`, `b16_…`, `b17_…`, the kinds `server_charge`, `server_clock`, `server_flag` |
//! | S3.6 | `S3.6 ten days of leave`, `s3_2_…`, the kind `leave_credit` |
//! | RU10.3.1 | `b34_…`, `RU10.3.1 the same date…` |
//! | RU10.3.2 | `RU10.3.2 …`, `R29…` |
//! | RU10.3.3 | `ru10_3_3_…`, `r32_…` |
//! | RU10.3.4 | `RU10.3.4 …`, `p2_5_and_ru10_3_4_…` |
//! | RU10.3.5 | the kinds `overstep` and `overstep_variant`, `r14_…` |
//! | RU10.3.6, RU-T2 | the tests of claims and of [`super::schedule`]; that the chief secretary is told is only recorded |
//! | RU10.3.7 | `RU10.3.7 rejected…`, `R36 incomplete…` |
//! | RU10.3.8 | `p2_6_the_partner_is_told…`, the kind `deadline` |
//! | RU10.3.9 | the rulebook `ua-server`, or a club's own |
