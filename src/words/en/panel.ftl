# What the two panels show. Capitals read best at three metres. Times and numbers are no words and are not here.
#
# A small panel holds 13 letters a line, and a word or sentence is broken once, at a blank: two lines at most. There are
# glyphs for Latin and Cyrillic letters. Each message is plain text in one line.

panel-white = WHITE
panel-black = BLACK
panel-flag = FLAG
panel-first-flag = FIRST FLAG
panel-second-flag = SECOND FLAG
panel-order-unknown = ORDER UNKNOWN
# After the number of moves that a control demanded and that were made: `40 MOVES MADE`.
panel-moves-made = MOVES MADE
# After `38 / 40`, or after the number of completed moves.
panel-moves = MOVES
# Before the number of a period: `PERIOD 2/3`.
panel-period = PERIOD
panel-main-time = MAIN TIME
panel-overtime = OVERTIME
panel-last-spell = LAST SPELL
# After the moves that a block of overtime still demands.
panel-to-go = TO GO
panel-hourglass = HOURGLASS
panel-gong = GONG
# A clock that counts up.
panel-time-used = TIME USED
# A clock that goes on below zero.
panel-over-time = OVER TIME
panel-paused = PAUSED
# After `PAUSED ·`: whose turn it is.
panel-to-move = TO MOVE
panel-call = ARBITER CALLED
panel-knocked-over = KNOCKED OVER
panel-doubtful-press = DOUBTFUL PRESS
panel-button-held = BUTTON HELD
panel-button-stuck = BUTTON STUCK
panel-default-time = DEFAULT TIME
# Before a result: `RESULT 1-0`.
panel-result = RESULT
# What starts White's clock.
panel-black-starts = BLACK'S PRESS STARTS
panel-any-starts = ANY PRESS STARTS
panel-arbiter-starts = ARBITER STARTS
panel-schedule-starts = SCHEDULED START
panel-restored = RESTORED
panel-replaced = REPLACED
# The buttons cannot be read yet.
panel-waiting = NO BUTTONS YET
# Before the number of the line in which a configuration file is wrong: `LINE 12`.
panel-line = LINE
# The kernel gave no realtime priority.
panel-no-realtime = NO REALTIME
# After a number of days, in a game by correspondence.
panel-days-left = DAYS LEFT
panel-days-over = DAYS OVER
# Before the number of a move.
panel-move-number = MOVE
# Before the move of a time control.
panel-control = CONTROL
# Before a date.
panel-until = UNTIL
panel-time-trouble = TIME TROUBLE
panel-on-leave = ON LEAVE
panel-claimed = CLAIM: PLAY RESTS
# After a colour: `WHITE WINS`.
panel-wins = WINS
panel-drawn = DRAWN
panel-low-supply = LOW POWER
# A time daemon changes the speed of the kernel's clock by too much.
panel-clock-slewed = CLOCK SLEWED
panel-switching-off = SAVED: SWITCHING OFF
panel-pair-arbiter = PAIR AN ARBITER
# Before a colour: `PAIR ASSISTANT WHITE`.
panel-pair-assistant = PAIR ASSISTANT
# It does not answer; shown on the other one.
panel-left-panel = LEFT PANEL
panel-right-panel = RIGHT PANEL
# The game's log does not reach the disk.
panel-log = LOG

## The panels' own menu

panel-menu-menu = MENU
panel-menu-code = PAIRING CODE
panel-menu-start = START CLOCK
# Play goes on.
panel-menu-resume = GO ON
panel-menu-correct = CORRECT TIMES
panel-menu-result = GIVE RESULT
panel-menu-new-game = NEW GAME
panel-menu-preset = PRESET
panel-menu-swap = SWAP SIDES
panel-menu-sound = SOUND
panel-menu-light = LIGHT
panel-menu-test = SELF TEST
panel-menu-power-off = POWER OFF
panel-menu-moves = MOVES
# Above a colour: who sits left.
panel-menu-left-sits = LEFT SITS
panel-menu-justified = CALL JUSTIFIED
panel-menu-not-justified = NOT JUSTIFIED
panel-menu-on = ON
panel-menu-off = OFF
# The field that leaves a page without change.
panel-menu-leave = LEAVE
# Before the old time and moves.
panel-menu-old = OLD
panel-menu-new = NEW
panel-menu-waiting = WAIT
panel-menu-done = DONE
panel-menu-refused = NOT NOW
# The rule book allows no sound; its clause.
panel-menu-no-sound = US CHESS 16B: NONE
panel-menu-no-preset = NO SUCH PRESET
panel-menu-no-change = NO CHANGE
# The readings are others by now.
panel-menu-stale = CHANGED MEANWHILE
panel-menu-left = LEFT
panel-menu-right = RIGHT
panel-menu-both = BOTH
panel-menu-hold = HOLD BOTH
# A rocker is turned over.
panel-menu-turn = TURN
panel-menu-third = THIRD
panel-menu-hold-third = HOLD THIRD
# What a key does, after its name: `LEFT: NEXT`.
panel-menu-next = NEXT
panel-menu-open = OPEN
panel-menu-change = CHANGE
panel-menu-back = BACK
panel-menu-do-it = DO IT
panel-menu-any-key = ANY KEY
panel-menu-tilt = TILT
# What a self-test looks at, before `OK` or `BAD`.
panel-menu-log = LOG
panel-menu-supply = SUPPLY
panel-menu-clock = CLOCK
panel-menu-realtime = REALTIME
panel-menu-panels = PANELS
panel-menu-good = OK
panel-menu-bad = BAD
