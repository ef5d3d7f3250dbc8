# What the arbiter does: buttons, forms, and what is said of it.

## Actions

actions = Actions
more-actions = More actions
both-here = Both players are here
start-white = Start White's clock
pause-both = Pause both clocks
resume-side = Resume { $side }
# Buttons that open a form end with `…`.
open-setup = Set up…
open-new-game = New game…
open-rematch = Rematch…
open-swap-sides = Swap sides…
open-ruling = Ruling…
open-take-back = Take back…
open-restore = Restore a move…
open-counters = Move counters…
open-change-control = Wrong setting…
open-penalty = Penalty…
open-schedule = Start at a set time…
open-result = Result…
open-result-proposed = Result { $result }…
open-assistant = Assistant…
open-message = Message…
open-games = Games…
open-corrections = Undo…
call-arbiter = Call the arbiter
spectators-page = Spectators' page
devices-let-in = Devices that are let in

## Fields of many forms

time-control = Time control
reason = Reason
name = Name
moves = Moves
period = Period
on-move = On move
preset = Preset
penalty = Penalty
result = Result
time = Time
message = Message
cancel = Cancel
close = Close
apply = Apply
undo = Undo
arrow = →
becomes = becomes

## Forms

set-up-title = Set up a game
set-up = Set up
preset-choose = choose, or type below
who-sits-left = Who sits left
setting-usual = as usual for the preset
setting-advance = Next period
setting-start = White's clock is started by
start-black-press = Black's press
start-any-press = any press
start-arbiter = the arbiter
start-scheduled = the time of the day
setting-default-time = Default time: how late a player may come
setting-absent = If nobody is there at the start
absent-white-pays = White loses the time until somebody comes
absent-split = both lose half of it
absent-off = White's clock waits
next-moves = when the moves are made
next-expiry = at zero, for that side
next-expiry-both = at zero, for both
new-game = New game
new-game-text = Begins a new game with { $control } and the same players.
rematch = Rematch
rematch-text = Colours change, the players keep their seats: { $name } has White. { $control }.
counters-title = Move counters
counters-text = As the score sheets say: who is to make which move.
counters-apply = Set both counters
counters-side = To move
counters-number = Move number
assistant = Assistant
assistant-text = Presses for a player who cannot; every press is logged as the assistant's.
assistant-apply = Register
for-whom = For whom
message-title = Message to the players
message-text = On both panels, until it is taken away by an empty one or a new game.
message-apply = Show
swap-title = Swap sides
swap-text = { $side } will sit left; times stay with their colour.
swap-apply = Swap
take-back-title = Take back the last press
take-back-apply = Take back
take-back-time = The time since then
take-back-presser = runs to the side that pressed
take-back-opponent = stays with the opponent
take-back-none = runs to nobody
result-text = Stops both clocks and closes the game.
result-apply = Close the game
result-white = 1–0 White wins
result-draw = ½–½ draw
result-black = 0–1 Black wins
result-hint = time, mate, resigned, agreed
result-by-ruling = ruling
result-fen = Position (FEN), to see who can still mate
offender = Offender
penalty-apply = Give the penalty
penalty-hint = 2m; none for a warning
penalty-warning = warning
penalty-to-opponent = time to the opponent
penalty-off = time off
penalty-both = both
setting-title = The setting was wrong
setting-text = Readings become as they would be under the right control; moves stay.
setting-late = Both have made ten moves: in rapid and blitz the Laws allow it then only if the schedule would suffer otherwise (A.5).
setting-apply = Change
schedule-title = Start at a set time
schedule-apply = Schedule
schedule-at = Start at

## A time, moves or a period changed

correct-title = Change { $side }'s clock
correct-steps = Add or take time
correct-time = Or set the time to
correct-hint = 4:52 or 1:04:52
correct-wrong-time = A time is written 4:52, 1:04:52, 5m30s or 90s.
# { $step } is a number with its sign: `+2`, `−10`.
step-minutes = { $step } min
step-seconds = { $step } s

## Rulings

ruling = Ruling
who-did-it = Who did it
other-time = Other time
ruling-choose = Choose what was done
ruling-apply = Rule: { $side }
ruling-article = Article { $clause }
ruling-so-far = { $count } so far

# What was done wrong: how it is called, and how it is told.
offence-illegal-move = Illegal move
offence-second-illegal-move = Second illegal move
offence-wrong-claim = Wrong claim of a draw
offence-stopped-without-reason = Stopped the clock without reason
offence-clock-misused = Clock hit, lifted or knocked over
offence-pieces-displaced = Pieces displaced
offence-disturbance = Disturbed the opponent
offence-device = Telephone or other device
offence-more-illegal-move = completed, or a press without a move, or with two hands
offence-more-second-illegal-move = the game is lost, unless the opponent cannot mate
offence-more-device = the game is lost
# What the opponent gets.
minutes-warning = warning
minutes-usual = time to the opponent
minutes-by-judgement = time by judgement

## What a command would do

preview-moves = move counter { $from } → { $to }
preview-flag-down = flag down
preview-flag-lifted = flag lifted
sits-left = { $side } sits left
proposed = Proposed: { $result }
can-mate = { $side } can mate
cannot-mate = { $side } cannot mate
# What the game would be in then.
then-ready = The game is ready again
then-running = A clock runs
then-paused = Both clocks stop
then-ended = The game is closed
nothing-would-change = Nothing would change on the clocks.

## What was done

restore-title = Restore a move
restore-text = Both readings right after a press. The game is paused; what came later is undone.
restore-apply = Restore
restore-start = The start
no-moves = No move has been made yet.
undo-title = What was done
undo-text = Undone, it had not been; what was played since stays.
no-corrections = Nothing that can be undone has been done.
games-title = Games
games-text = The newest first, as their logs tell.
no-games = No game yet.
game-on = on the clock
game-no-result = no result

# What was done, in the list of corrections: an act, its side, the readings that it changed.
act-set = Set
act-adjust = Adjusted
act-change-control = Control changed
act-swap-sides = Sides swapped
act-call-flag = Flag seen
act-claim-flag = Flag claimed
act-penalty = Penalty
act-ruling = Ruling
act-acknowledge = Acknowledged
act-close-call = Call closed
act-take-back = Press taken back
act-restore = Restored
act-result = Result
act-assistant = Assistant
act-schedule = Start scheduled
act-message = Message
act-of-side = { $act } { $side }
# An act, who did it and why.
act-signed = { $act } ({ $by })
source-panel = at the clock
source-socket = at the board
act-changed = { $act }: { $changes }
reading-changed = { $old } → { $new }
reading-of-side-changed = { $side } { $old } → { $new }

done = Done: { $what }
done-in-memory = Done: { $what } (in memory only: no disk takes the log)
# What was done, after `Done:`, where it is no correction.
done-start = start
done-pause = pause
done-resume = resume
done-arrived = arrived
done-acknowledge = acknowledge
done-call = call
done-close-call = close call
done-setup = setup
done-new-game = new game
done-undo = undo
done-show-code = show code
done-hide-code = hide code
done-replaced = replaced
done-reinstate = reinstate
done-take-over = take over

no-answer = No answer from the clock: look at the readings before you do it again.
not-now = No connection: it can be done when that is back.
busy = The clock is deciding something; wait a moment.
meanwhile = Meanwhile: { $what }.
meanwhile-decide = Meanwhile: { $what }. Look again and decide.
side-pressed = { $side } pressed
# What the game is in now, after `Meanwhile:`.
now-ready = now ready
now-running = now running
now-paused = now paused
now-ended = now ended

## Why something is not done

refusal-state =
    { $state ->
        [ready] Not before the game has begun.
        [running] Not while a clock runs: pause first.
        [paused] Not while both clocks are stopped.
       *[ended] Not after the game has ended.
    }
refusal-game-on = A game is on: give its result first.
refusal-closed = The game has its result. Restore a reading to open it again, or begin a new game.
refusal-flag-down = { $side }'s flag is down: set the time to lift it.
refusal-no-flag = { $side }'s flag has not fallen.
refusal-below-zero = { $side } would be below zero.
refusal-above-most = { $side } would be above 999:59:59, the most that a clock shows.
refusal-no-period = { $side } has no period { $number }: there are { $last }.
refusal-nothing-to-take-back = No press is left to take back; the starting press is no move.
refusal-no-such-move = { $side } has not pressed at move { $number } of this game.
refusal-history-full = The list of presses is full, so the past cannot be worked out: set both clocks by hand.
refusal-no-incident = That is done already.
refusal-no-mark = { $side } has no passed control to be seen.
refusal-no-call = No call is open.
refusal-no-assistant = No assistant is registered for { $side }.
refusal-players-call = Under these rules only a player may claim a flag.
refusal-no-penalty-time = These rules set no time for it: give one.
refusal-flags-at-once = Under that control a clock would begin at zero.
refusal-too-much = Too much at once: try again.
refusal-replaced = Another clock took this game over. Let it go on here first, with a reason.
refusal-not-replaced = No other clock took this game over.
refusal-no-past = The game came from another clock without its past: set both clocks by hand.
refusal-no-article = These rules have no article on that: give a penalty, and say why.
refusal-nothing-to-undo = Nothing is left to be undone.
refusal-no-correction = This can be undone no longer: it is undone already, or too much came after it.
refusal-undo-later = “{ $act }” came later and stands on it: undo that first.
refusal-play-went-on = Play went on since: set the clocks by hand.
refusal-would-have-flagged = Without it { $side }'s flag would have fallen meanwhile, and nobody could know: set the clock by hand.
refusal-passed = That time has passed. Start the clock now, or choose a later time.
