# Devices and clocks: pairing, who is let in, the assistant's page, and a game that goes over to another clock.

## Pairing

pair-title = Pair this device
pair-code = Code on the clock
pair-name = Your name
pair-name-hint = as it stands in the log
pair-enter = Let me in
pair-help = No code? Hold both buttons of the clock for three seconds while no game runs. Its panels show a code, this address, and the first groups of the certificate's fingerprint: compare them if your browser warns.
pair-by-password = Sign in with the arbiter's password
pair-password = Password
pair-sign-in = Sign in
pair-only-look = Only look at the clock
pair-javascript = Pairing needs JavaScript; please allow it.
pair-no-answer = No answer from the clock: look whether you are in its network.
pair-eight-digits = The code has eight digits.
pair-who = Say who you are: your name stands in the log with all you do.
pair-who-above = Say who you are, above: your name stands in the log with all you do.
pair-board-named = { $name } (board { $number })

## Who is let in

access-title = Devices
access-title-of = { $clock } · devices
access-another = Let another one in
access-code-note = The code stands on the clock's panels too, while no game runs.
access-arbiter = Arbiter
access-of-white = White's assistant
access-of-black = Black's assistant
access-back = Back to the clock
access-sign-out = Sign this device out
access-this-device = { $name } (this device)
access-told = { $role } · { $from } · paired { $paired }, seen { $seen }
access-for-this-game = For this game
access-throw-out = Throw out
access-certificate = Certificate SHA-256 { $fingerprint }
access-code-good =
    { $count ->
        [one] Good once, for a minute, at { $address }
       *[other] Good once, for { $count } minutes, at { $address }
    }
refused = Attempts refused in the last { $hours } hours: { $count }
refused-for = { $attempts } ({ $reasons })
refused-of = { $reason } { $count }

# Why an attempt was refused.
refused-by-host = host
refused-by-origin = origin
refused-by-plain = plain
refused-by-stranger = stranger
refused-by-assistant = assistant
refused-by-secret = secret
refused-by-rate = rate
refused-by-connections = connections
refused-by-head = head
refused-by-body = body
refused-by-address = address

ago-now = just now
ago-minutes = { $count } min ago
ago-hours = { $count } h ago

## The assistant's page

assistant-page-title = { $clock } · assistant
assistant-of-side = { $side }'s assistant
assistant-press = Press
assistant-press-for = Press for { $side }
assistant-state-ready = not started
assistant-running = { $side } is on move
assistant-state-paused = paused
assistant-state-ended = over
assistant-pressed = Pressed
assistant-not-registered = You are not registered for this game: ask the arbiter.
assistant-no-answer = No answer from the clock: look at the readings before you press again.
assistant-nobodys = This device is nobody's assistant.

## A game from another clock

takeover-title = Another clock
takeover-in = The game of a clock that is replaced, newest first. It starts paused; you decide the times.
takeover-candidates = Candidates
takeover-file = The old clock's log (a file)
takeover-code = The code that it shows; of two codes each on a line
takeover-read-code = Read the code
takeover-type = Type the readings
takeover-whites-moves = White's moves
takeover-blacks-moves = Black's moves
takeover-whites-period = White's period
takeover-blacks-period = Black's period
takeover-offer = Offer these readings
takeover-no-answer = No answer from the clock; offer it again.
takeover-too-long = This file is longer than 8 MiB: no clock writes such a log.
# What a candidate is.
takeover-kind-log = log
takeover-kind-code = code
takeover-kind-readings = readings
takeover-typed-in = typed in
takeover-by-code = code
takeover-old = { $age } old
takeover-age-unknown = age not known
takeover-ran = { $side }'s clock ran
takeover-none-ran = no clock ran, { $side } to move
takeover-log-breaks = The log breaks: { $why }; what stands before is taken.
takeover-taken-before = It was taken over before, by { $by }.
takeover-side-moves =
    { $count ->
        [one] { $side }, { $count } move
       *[other] { $side }, { $count } moves
    }
takeover-why-hint = what is wrong with the old clock
takeover-take = Take it over, paused

## A game that goes to another clock

takeover-out = This clock is to be replaced: take its log to the other clock, or let it read the code from a panel. An adjourned game has a slip.
takeover-log = The log
takeover-slip = The slip
takeover-show-code = Show the code on the panels
takeover-hide-code = Show the readings again
takeover-replaced = Replaced by another clock…
takeover-go-on = Let it go on here…
replaced-title = Replaced by another clock
replaced-text = Both clocks stop, and nothing runs here until an arbiter lets it.
replaced-by = Which clock has the game now
replaced-hint = Table 9
replaced-apply = It was replaced
reinstate-title = Let it go on here
reinstate-text = The game is this clock's again: see that the other one does not go on with it.
reinstate-apply = This clock has the game
