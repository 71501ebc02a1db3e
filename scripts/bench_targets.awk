# bench_targets.awk FILE.json...: the medians of Google Benchmark's JSON files against opkit's targets.
# On one thread times are the thread's own (as are the shares of the FMA peak), on two they are real time; those of
# commands are their processes' own.

function text(line) { sub(/^[^:]*: */, "", line); gsub(/^"|"?,?$/, "", line); return line }

/"run_name":/ { name = text($0) }
/"aggregate_name":/ { median = text($0) == "median" }
/"real_time":/ && median { real[name] = text($0) + 0 }
/"cpu_time":/ && median { own[name] = text($0) + 0 }
/"processor_ms":/ && median { processor[name] = text($0) + 0 }
/"share":/ && median { share[name] = text($0) + 0 }

function time(name, threads) { return threads == 1 ? own[name] : real[name] }

function row(what, value, goal, met) {
  printf "%-54s %9s   %-9s %s\n", what, value, goal, met ? "met" : "not met"
}

function at_most(what, value, goal) { row(what, sprintf("%.2f", value), "<= " goal, value <= goal) }
function at_least(what, value, goal) { row(what, sprintf("%.2f", value), ">= " goal, value >= goal) }

function thread(n) { return n == 1 ? "1 thread" : n " threads" }

function against_loop(n, size, threads,    key) {
  key = "/n:" n "/threads:" threads "/real_time"
  if (!(("by_hand" key) in real)) return
  at_most("AddRelu, " size ", against a loop by hand, " thread(threads), time("emulated" key, threads) / time("by_hand" key, threads), 1.1)
}

END {
  printf "%-54s %9s   target\n", "what", "measured"
  for (threads = 1; threads <= 2; ++threads) {
    against_loop(4096, "16 KiB", threads)
    against_loop(262144, "1 MiB", threads)
    against_loop(16777216, "64 MiB", threads)
  }
  if (share["matmul<float>"]) {
    at_least("matmul float, share of the FMA peak", share["matmul<float>"], 0.75)
    at_least("matmul half, share of the FMA peak", share["matmul<half>"], 0.75)
    at_least("matmul bfloat16 against float", share["matmul<bfloat16_t>"] / share["matmul<float>"], 1.4)
    at_least("Mmad 128x64x256 float, share of the FMA peak", share["mmad<float, float>"], 0.9)
  }
  if ("find/real_time" in real) {
    at_most("list of 1,000 ops, ms", own["list/remembers:1/real_time"], 100)
    at_most("warm resolution, us", own["find/real_time"], 2)
    at_most("command: opkit list of 1,000 ops, ms", processor["command/list/real_time"], 100)
    at_most("command: opkit why, ms", processor["command/why/real_time"], 50)
    at_most("command: opkit infer, ms", processor["command/infer/real_time"], 50)
    at_most("command: opkit run, ms", processor["command/run/real_time"], 50)
  }
  if ("start/real_time" in real) {
    at_most("a warm call in a worker over one in process, us", real["warm_call/worker:1/elements:1000/real_time"] - real["warm_call/worker:0/elements:1000/real_time"], 15)
    at_most("start of a worker, ms", real["start/real_time"], 20)
  }
  for (threads = 1; threads <= 2; ++threads) {
    key = "empty_vector_kernel/threads:" threads "/real_time"
    if (key in real) at_most("launch of an empty kernel, us, " thread(threads), time(key, threads) / 1000, 2)
  }
}
