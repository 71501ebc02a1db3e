#!/bin/sh
# bench.sh BUILD: every benchmark executable, one after the other, so that they do not disturb each other.
set -eu
build=$1
export ASCEND_OPP_PATH="$PWD/$build/opp"
for bench in "$build"/tests/bench/bench_*; do
  [ -x "$bench" ] || continue
  echo "== $(basename "$bench")"
  "$bench" --benchmark_repetitions=7 --benchmark_report_aggregates_only=true --benchmark_min_time=0.05
done
