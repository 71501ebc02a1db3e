#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "opkit/call/execute/execution.h"
#include "opkit/call/execute/tuned_plan.h"
#include "opkit/call/plan/op_runner.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/cli/options/sample_flags.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/core/replay/replay.h"
#include "opkit/measure/bench/bench_case.h"
#include "opkit/measure/bench/samples.h"
#include "opkit/measure/said/tensor_source.h"

namespace opkit::cli {
namespace {

constexpr const char* kReplayIsOff = "is not replayed, because OPKIT_REPLAY is 0";

// One call that is measured.
struct Measured {
  std::string name;    // the case
  std::string column;  // "T=float16"
  uint32_t block_dim = 0;
  measure::SampleSummary seconds;            // summarizes the host's time
  std::optional<core::ReplayReport> replay;  // --why
};

struct Subject {
  std::string name;
  measure::SaidCall options;
};

// Returns every case in every column; with --shape or --in, that call alone.
Result<std::vector<Subject>> subjects_of(const ChosenOp& chosen, const Arguments& arguments) {
  const OpContract& contract = chosen.contract();
  std::vector<Subject> subjects;
  if (says_inputs(arguments)) {
    OPKIT_TRY(measure::SaidCall options, read_call_options(contract, arguments));
    subjects.push_back({"as asked for", std::move(options)});
    return subjects;
  }
  OPKIT_TRY(const Case* first,
            measure::bench_case(contract, std::max<int64_t>(1, arguments.integer("--case"))));
  const bool all = !arguments.has("--case");
  OPKIT_TRY(const measure::SaidCall said, read_call_options(contract, arguments));
  for (const Case& one : contract.bench) {
    if (!all && &one != first) continue;
    for (size_t column = 0; column < contract.column_count(); ++column) {
      if (!measure::on_chip(contract, column, *chosen.spec)) continue;
      OPKIT_TRY(measure::SaidCall options, measure::options_of_case(contract, one, column));
      bool asked = true;
      for (const auto& [name, dtype] : said.dtypes) {
        const auto found = options.dtypes.find(name);
        asked = asked && (found == options.dtypes.end() || found->second == dtype);
      }
      if (said.any_dtype && !contract.inputs.empty())
        asked = asked && options.dtypes[contract.inputs[0].name] == *said.any_dtype;
      for (const auto& [name, value] : said.attrs) options.attrs[name] = value;
      if (asked) subjects.push_back({measure::text_of_case(contract, one), std::move(options)});
    }
  }
  if (subjects.empty())
    return Error("OPK-CLI-011", fmt::format("no column of {} is left to measure", contract.op),
                 "leave --dtype out, or name another chip");
  return subjects;
}

// Returns the worker's own time of each launch.
Result<Measured> measure_in_worker(const Subject& subject, const ChosenOp& chosen,
                                   const Arguments& arguments, Invocation call) {
  call.schedule_seed = schedule_seed(arguments);
  CallFacts facts = facts_of(*call.contract, call.inputs);
  facts.attrs = call.attrs;
  facts.output_shapes = call.output_shapes;
  OPKIT_TRY(call.plan, chosen.executor().plan(*call.contract, chosen.soc, facts));
  std::vector<double> samples;
  const int64_t warm = arguments.integer("--warm"), count = arguments.integer("--samples");
  for (int64_t i = 0; i < warm + count; ++i) {
    OPKIT_TRY(const Observation seen, chosen.executor().watch(call, {}));
    const core::Faults& faults = seen.watched.report.faults;
    if (!faults.empty()) return to_error(faults.front(), call.contract->op);
    if (i >= warm) samples.push_back(seen.seconds);
  }
  return Measured{subject.name, call.contract->column_name(call.plan->binding.column),
                  call.plan->tiling.block_dim, measure::summary_of(std::move(samples)),
                  std::nullopt};
}

// Plans as runs do, with the knobs of a bank.
Result<CallPlan> planned(const ChosenOp& chosen, const CallFacts& facts) {
  const auto make = [&](const CallFacts& all) {
    return plan_call(chosen.contract(), *chosen.op->tables, *chosen.spec, all);
  };
  return plan_tuned(chosen.contract(), chosen.executor().digest(), chosen.spec->name, facts, make);
}

Result<Measured> measure(const Subject& subject, const ChosenOp& chosen,
                         const Arguments& arguments) {
  const auto threads = static_cast<unsigned>(arguments.integer("--threads"));
  const OpContract& contract = chosen.contract();
  OPKIT_TRY(Invocation call,
            invocation_of(chosen, subject.options, measure::uniform(seed_of(arguments)), threads));
  fill_inputs(call);
  if (!arguments.has("--in-process") && !arguments.has("--why"))
    return measure_in_worker(subject, chosen, arguments, std::move(call));
  OpRunner runner(*chosen.spec, threads);
  CallFacts facts = facts_of(contract, call.inputs);
  facts.attrs = std::move(call.attrs);
  facts.output_shapes = std::move(call.output_shapes);
  OPKIT_TRY(CallPlan plan, planned(chosen, facts));
  OPKIT_TRY(PreparedRun prepared,
            runner.bind_memory(std::make_shared<const CallPlan>(std::move(plan)),
                               std::move(call.inputs)));
  prepared.poison();
  std::vector<double> samples;
  const int64_t warm = arguments.integer("--warm"), count = arguments.integer("--samples");
  for (int64_t i = 0; i < warm + count; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const core::LaunchReport report = prepared.launch(nullptr, schedule_seed(arguments));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (!report.ok()) return to_error(report.faults.front(), contract.op);
    if (i >= warm) samples.push_back(spent.count());
  }
  Measured measured{subject.name, contract.column_name(prepared.binding().column),
                    prepared.plan().block_dim, measure::summary_of(std::move(samples)),
                    std::nullopt};
  if (arguments.has("--why"))
    measured.replay = prepared.call().replay ? prepared.call().replay->report()
                                             : core::ReplayReport{.why = kReplayIsOff};
  return measured;
}

// Returns what runs a program: "machine code for 2 of 3 groups of steps (1 loop, 4310 bytes)".
std::string text_of_code(const core::ReplayReport& replay) {
  if (replay.compiled > 0)
    return fmt::format("machine code for {} of {} groups of steps ({}, {} bytes)", replay.compiled,
                       replay.groups, counted(replay.loops, "loop"), replay.code_bytes);
  return "passes run, because " + (replay.why_passes.empty()
                                       ? "no steps belong together that have machine code"
                                       : replay.why_passes);
}

// Returns what became of the launches: "replayed 104 of 105: 3 steps, 2,304 bytes, recorded in 0.1
// ms; machine code ...".
std::string text_of(const core::ReplayReport& replay) {
  const uint64_t launches = replay.kernel_launches + replay.replayed;
  if (!replay.has_program) {
    return fmt::format("the kernel ran {} times: {}", replay.kernel_launches,
                       replay.why.empty() ? "nothing was recorded yet" : "it " + replay.why);
  }
  return fmt::format(
      "replayed {} of {} launches: {} steps in {} kinds of blocks, {} bytes, "
      "recorded in {:.3f} ms; {}",
      replay.replayed, launches, replay.steps, replay.classes, replay.bytes, replay.seconds * 1e3,
      text_of_code(replay));
}

Json json_of(const core::ReplayReport& replay) {
  return {{"replayed", replay.replayed},
          {"kernel_launches", replay.kernel_launches},
          {"why", replay.why},
          {"has_program", replay.has_program},
          {"steps", replay.steps},
          {"block_kinds", replay.classes},
          {"bytes", replay.bytes},
          {"record_seconds", replay.seconds},
          {"groups", replay.groups},
          {"compiled_groups", replay.compiled},
          {"loops", replay.loops},
          {"code_bytes", replay.code_bytes},
          {"why_passes", replay.why_passes}};
}

Json json_of(const Measured& one) {
  Json json = {{"case", one.name},
               {"column", one.column},
               {"block_dim", one.block_dim},
               {"samples", one.seconds.count},
               {"mean_seconds", one.seconds.mean},
               {"p50_seconds", one.seconds.p50},
               {"p95_seconds", one.seconds.p95},
               {"least_seconds", one.seconds.least},
               {"cv", one.seconds.cv},
               {"noisy", one.seconds.noisy()}};
  if (one.replay) json["replay"] = json_of(*one.replay);
  return json;
}

std::string text_of(const std::vector<Measured>& all, const Palette& palette) {
  Table table({"case", "column", ">blocks", ">mean ms", ">p50", ">p95", ">CV"});
  bool noisy = false;
  for (const Measured& one : all) {
    const auto ms = [](double seconds) { return fmt::format("{:.4f}", seconds * 1e3); };
    noisy = noisy || one.seconds.noisy();
    table.add({one.name, one.column, std::to_string(one.block_dim), ms(one.seconds.mean),
               ms(one.seconds.p50), ms(one.seconds.p95),
               fmt::format("{:.3f}{}", one.seconds.cv, one.seconds.noisy() ? " !" : "")});
  }
  std::string text = table.to_string(palette);
  for (const Measured& one : all) {
    if (one.replay) text += fmt::format("{}, {}: {}\n", one.name, one.column, text_of(*one.replay));
  }
  if (noisy) text += "! CV above 0.15: something else ran beside; compare p50, or measure again\n";
  return text;
}

Outcome run_bench(const Arguments& arguments, Console& console) {
  OpenOptions options = open_options(arguments, console);
  if (arguments.has("--why")) options.in_process = true;  // the recording is asked for itself
  OPKIT_TRY(const ChosenOp chosen,
            choose_op_and_soc(arguments.get("op"), arguments, options, console));
  OPKIT_TRY(const std::vector<Subject> subjects, subjects_of(chosen, arguments));
  std::vector<Measured> all;
  {
    ProgressLine progress(console, "bench " + chosen.contract().op);
    for (const Subject& subject : subjects) {
      progress.advance(all.size(), subjects.size(), subject.name);
      OPKIT_TRY(Measured one, measure(subject, chosen, arguments));
      all.push_back(std::move(one));
    }
  }
  Json list = Json::array();
  for (const Measured& one : all) list.push_back(json_of(one));
  const std::string& op = chosen.contract().op;
  console.show({{"op", op},
                {"soc", chosen.soc},
                {"mode", "fast"},
                {"runs", chosen.op->runs},
                {"cases", std::move(list)}},
               fmt::format("{} on {}, fast mode, {}, time of this machine\n{}", op, chosen.soc,
                           chosen.op->runs, text_of(all, console.out())));
  return kOk;
}

std::vector<Flag> bench_flags() {
  std::vector<Flag> flags = call_flags();
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  flags.push_back({.name = "--why",
                   .value = "",
                   .help = "say which launches were replayed, or why the kernel ran; in process"});
  flags.push_back(case_flag("only this of the contract's bench shapes [every one]"));
  for (Flag& flag : sample_flags()) flags.push_back(std::move(flag));
  return flags;
}

}  // namespace

Command bench_command() {
  return {
      .name = "bench",
      .summary = "time an op on this machine in fast mode, on its contract's bench shapes",
      .details =
          "Every bench shape in every dtype column of the chip: warm-ups, then samples, each one\n"
          "launch of a prepared call. Mean, median, 95th percentile and the coefficient of\n"
          "variation, marked when it is above 0.15. `opkit profile` models the chip's time.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package or a built project",
                       .complete = Complete::kOp}},
      .flags = bench_flags(),
      .examples = {{"opkit bench MyFused --json", "every bench shape, every column"},
                   {"opkit bench MyFused --case 1 --dtype float16 --samples 200", "one of them"},
                   {"opkit bench MyFused --why", "whether its launches are replayed, or why not"},
                   {"opkit bench MyFused --shape x=1048576 --shape y=1048576",
                    "a shape of one's own"}},
      .run = run_bench,
  };
}

}  // namespace opkit::cli
