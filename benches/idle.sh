#!/usr/bin/env bash
# What a running clock costs while nobody presses: processor time of all its threads, and how often they wake.
# Bounds: 0.2 % of a core, 15 wake-ups a second.   benches/idle.sh [PROGRAM [SECONDS]]
set -euo pipefail
program=${1:-target/release/zeitnot} seconds=${2:-20}
folder=$(mktemp -d)
"$program" simulate --listen 127.0.0.1:0 --data "$folder" >"$folder/said" &
clock=$!
trap 'kill "$clock" 2>/dev/null; wait "$clock" 2>/dev/null; rm -rf "$folder"' EXIT
for _ in $(seq 100); do [ -S "$folder/zeitnot.sock" ] && break; sleep 0.1; done
ctl() { "$program" ctl --socket "$folder/zeitnot.sock" "$@" >/dev/null; }
ctl setup control=90m+30s
ctl start
sleep 3

# A line for each thread: number, name, nanoseconds on a processor, times it gave the processor up.
threads() {
  for task in /proc/"$clock"/task/*; do
    read -r ran _ <"$task/schedstat"
    gave=$(awk '/^voluntary_ctxt_switches/ { print $2 }' "$task/status")
    echo "${task##*/} $(<"$task/comm") $ran $gave"
  done
}
threads >"$folder/before"
sleep "$seconds"
threads >"$folder/after"
awk -v seconds="$seconds" '
  NR == FNR { ran[$1] = $3; gave[$1] = $4; next }
  {
    cpu = ($3 - ran[$1]) / 1e9 / seconds * 100; wakes = ($4 - gave[$1]) / seconds
    printf "%-12s %6.3f %% of a core %6.1f wake-ups a second\n", $2, cpu, wakes
    all_cpu += cpu; all_wakes += wakes
  }
  END {
    printf "%-12s %6.3f %% of a core %6.1f wake-ups a second (bounds: 0.2 %%, 15)\n", "all", all_cpu, all_wakes
    exit !(all_cpu <= 0.2 && all_wakes <= 15)
  }' "$folder/before" "$folder/after"
