# The arbiter's page: what is always there, and what both clocks and their game are in.
#
# { $side } is who plays, as `white` and `black` say it; where it stands, { $colour } is there too, `white` or `black`,
# to choose a form of the sentence by. { $count } is a number, to choose by as well.

# ltr, or rtl where the language is written from right to left.
direction = ltr

white = White
black = Black

## Head and health

chess-clock = Chess clock
both-clocks = Both clocks
both-clocks-table = Both clocks, as they stand on the table
needs-javascript = This page counts the clocks with JavaScript; please allow it.
connecting = connecting
live = live
no-connection = no connection
old-readings = No connection: these readings are old. { $why } It goes on trying.
clock-not-reached = The arbiter port does not reach the clock.
port-not-reached = This page does not reach the arbiter port.
clock-renamed = This clock was { $old }, and is { $new } now: load this page again.
another-clock-answers = Another clock ({ $clock }, { $id }) answers here now: load this page again.
lies-on-its-side = The clock lies on its side.
health = Health
no-realtime = No realtime priority on this machine
message-to-players = To the players: { $text }
board = Board { $number }
board-named = { $name }, board { $number }
board-unknown = Board ?

## What the game is in

waiting-for-clock = Waiting for the clock
waiting-for-hardware = Waiting for the hardware
clock-runs = { $side }'s clock runs
paused-to-move = Paused · { $side } to move
ready-at = Ready · starts at { $when }
ready = Ready · not started yet
starts-in = { $sentence } · in { $time }
ended = Ended
ended-result = Ended · { $result }
ended-flag = Ended · { $side }'s flag down
ended-both-flags = Ended · White's flag and Black's flag down

## A side

seat-left = left
seat-right = right
runs = runs
waits = waits
stopped = stopped
to-move = to move
side-to-move = { $side } to move
here = here
not-seen-yet = not seen yet
flag-down = flag down
flag-down-order-unknown = flag down, order unknown
flag-told = Flag { $order }, at { $at }
fell-first = fell first
fell-second = fell second
order-unknown = order unknown
flag-seen = seen { $at }
flag-claimed = claimed { $at }
saw-it = I saw it
side-claims = { $side } claims
change = Change…
change-of-side = Change { $side }'s time, moves or period
arrived = Arrived
seen = Seen
seen-what = Seen: { $what }
mark-met = Control { $period } passed at { $at }: { $count } of { $demanded } moves made
mark-unmet = Control { $period } passed at { $at }: only { $count } of { $demanded } moves made
mark-free =
    { $count ->
        [one] Control { $period } passed at { $at }: { $count } move made
       *[other] Control { $period } passed at { $at }: { $count } moves made
    }
fact-moves = moves
fact-period = period
fact-spells = spells
fact-to-go = to go
fact-assistant = assistant
fact-illegal = illegal
fact-offences = offences
fact-delay = delay

## What needs somebody

needs-you = Needs you
from-to = { $from } to { $to }
at = at { $at }
on-this-move = { $time } on this move
moves-of = { $count } of { $demanded } moves
readings-then = White { $white }, Black { $black }
justified = Justified
not-justified = Not justified
acknowledge = Acknowledge
acknowledge-what = Acknowledge: { $what }

# What happened; where it is a side's, { $colour } says which, and is `nobody` where it is not.
kind-taken-over = The game came from another clock: judge both readings, and see that the old clock knows it was replaced
kind-knock =
    { $colour ->
        [nobody] The clock was knocked over
       *[other] { $side }: the clock was knocked over
    }
kind-held =
    { $colour ->
        [nobody] A button is held too long
       *[other] { $side }: a button is held too long
    }
kind-stuck =
    { $colour ->
        [nobody] A button was down at start-up
       *[other] { $side }: a button was down at start-up
    }
kind-doubtful-press =
    { $colour ->
        [nobody] A press near a knock is doubtful
       *[other] { $side }: a press near a knock is doubtful
    }
kind-late-edge =
    { $colour ->
        [nobody] A press came too late to be placed in its order; it was not applied
       *[other] { $side }: a press came too late to be placed in its order; it was not applied
    }
kind-both-pressed =
    { $colour ->
        [nobody] Both buttons were pressed at once; one press did not count
       *[other] { $side }: both buttons were pressed at once; one press did not count
    }
kind-glitches =
    { $colour ->
        [nobody] A button line keeps bouncing
       *[other] { $side }: a button line keeps bouncing
    }
kind-moves-not-made =
    { $colour ->
        [nobody] The moves demanded were not made in time
       *[other] { $side }: the moves demanded were not made in time
    }
kind-default-time =
    { $colour ->
        [nobody] Later than the default time
       *[other] { $side }: later than the default time
    }
kind-call =
    { $colour ->
        [nobody] A player calls for the arbiter
       *[other] { $side } calls for the arbiter
    }
kind-order-unknown = Both flags are down and their order is not known
kind-restart = The clock was without power
kind-hardware = Something is wrong with the hardware
kind-press-missing =
    { $colour ->
        [nobody] A press may be missing: this clock runs on and on
       *[other] { $side }: a press may be missing: this clock runs on and on
    }
kind-sums = Two reckonings of this game differ: check both readings

## The simulated clock

simulated-clock = Simulated clock
left-panel = Left panel
right-panel = Right panel
left-button = Left button
right-button = Right button
left-shift = left Shift
right-shift = right Shift
knock-over = Knock the clock over
set-upright = Set the clock upright
space-pauses = Space pauses and resumes

## The spectators' page

spectators-title = { $clock } · spectators
old-readings-watch = No connection: these readings are old.
disclaimer = For spectators only. No claim rests on this page: what the clock on the table shows counts.
watch-moves =
    { $count ->
        [one] { $count } move
       *[other] { $count } moves
    }
watch-periods-left =
    { $count ->
        [one] { $count } period left
       *[other] { $count } periods left
    }
