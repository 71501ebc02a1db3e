#!/bin/sh
# bench.sh BUILD: every benchmark executable, one after the other, so that they do not disturb each other; then the
# medians against opkit's targets. Quote them from a machine that does nothing else.
set -eu
build=$1
export ASCEND_OPP_PATH="$PWD/opp"
for bench in "$build"/tests/bench/bench_*; do
  [ -x "$bench" ] && [ -f "$bench" ] || continue
  echo "== $(basename "$bench")"
  "$bench" --benchmark_repetitions=7 --benchmark_report_aggregates_only=true --benchmark_min_time=0.05 \
    --benchmark_enable_random_interleaving=true --benchmark_out="$bench.json" --benchmark_out_format=json
done
echo "== targets"
awk -f scripts/bench_targets.awk "$build"/tests/bench/bench_*.json
