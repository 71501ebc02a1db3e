#!/bin/sh
# fuzz.sh [SECONDS [READER...]]: libFuzzer (clang) against every reader of untrusted bytes, each for so long (60), from its
# corpus, the files tests/fuzz/corpus/<target>/<reader>.*. Says how many inputs each took. Inputs that break a promise stay
# in build/fuzz/found, what covers more than the corpus in build/fuzz/corpus. Exit code 1: something was found.
set -u
seconds=${1:-60}
[ $# -eq 0 ] || shift
found=build/fuzz/found
cmake --preset fuzz >/dev/null && cmake --build --preset fuzz >/dev/null || exit 2
mkdir -p "$found"

# fuzz TARGET READER
fuzz() {
  corpus=build/fuzz/corpus/$1.$2
  mkdir -p "$corpus"
  cp tests/fuzz/corpus/"$1"/"$2".* "$corpus"
  build/fuzz/tests/fuzz/libfuzzer_"$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3072 -print_final_stats=1 \
    -artifact_prefix="$found/$1.$2-" "$corpus" >"$corpus.log" 2>&1
  code=$?
  inputs=$(awk '/^stat::number_of_executed_units/ {print $2}' "$corpus.log")
  echo "$1 $2: ${inputs:-0} inputs$([ $code -eq 0 ] || echo ", FOUND: see $corpus.log")"
  return $code
}

status=0
for target in tests/fuzz/corpus/*; do
  for reader in $(ls "$target" | sed 's/\..*//' | sort -u); do
    case " $* " in "  " | *" $reader "*) fuzz "$(basename "$target")" "$reader" || status=1 ;; esac
  done
done
exit $status
