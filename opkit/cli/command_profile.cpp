#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/cli/all_commands.h"
#include "opkit/cli/call_options.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/generated.h"
#include "opkit/cli/op_choice.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/profile_program.h"
#include "opkit/cli/tensor_source.h"
#include "opkit/cli/timed_text.h"
#include "opkit/debug/source_line.h"
#include "opkit/trace/report.h"
#include "opkit/trace/trace.h"

namespace opkit::cli {
namespace {

Result<core::TimedResult> measure(PreparedRun& prepared, const SocSpec& soc, const std::string& op,
                                  uint32_t warm_runs) {
  OPKIT_TRY(const core::TimingRates rates, rates_for(soc));
  core::TimedOptions options;
  options.spans = true;
  options.warm_runs = warm_runs;
  core::Timed timed(rates, options);
  prepared.poison();
  const core::LaunchReport report = prepared.launch(&timed);
  if (!report.ok()) return to_error(report.faults.front(), op);
  return timed.result();
}

Outcome run(const Arguments& arguments, Console& console) {
  if (names_program(arguments.get("op"))) return profile_program(arguments, console);
  OPKIT_TRY(const std::string soc, checked_soc(arguments.get("--soc"), console));
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  OPKIT_TRY(const LoadedOp op, choose_op(arguments.get("op"), soc, arguments, console));
  OPKIT_TRY(const CallOptions options, read_call_options(op.contract, arguments));
  OPKIT_TRY(auto inputs, tensors_of(op.contract, options,
                                    uniform(static_cast<uint64_t>(arguments.integer("--seed")))));
  OpRunner runner(*match.spec, 1);
  OPKIT_TRY(PreparedRun prepared,
            runner.prepare({&op.contract, &op.plugin.op(), std::move(inputs), options.attrs}));
  OPKIT_TRY(const core::TimedResult result,
            measure(prepared, *match.spec, op.contract.op,
                    static_cast<uint32_t>(arguments.integer("--warm"))));
  debug::SourceLines lines;
  const auto names = [&](const void* pc) { return lines.text(pc); };
  if (const auto file = arguments.find("--trace"))
    OPKIT_CHECK(write_file(*file, trace::chrome_trace(result, names)));
  if (const auto folder = arguments.find("--out"))
    OPKIT_CHECK(trace::write_profile(*folder, result, op.contract.op, soc, names));
  Json json{{"op", op.contract.op}, {"soc", soc}};
  json.update(timed_json(result));
  console.show(json, fmt::format("{} {} on {}\n{}", op.contract.op,
                                 op.contract.column_name(prepared.binding().column), soc,
                                 timed_text(result, console.out())));
  return kOk;
}

}  // namespace

Command profile_command() {
  std::vector<Flag> flags = {{.name = "--soc",
                              .value = "NAME",
                              .help = "the chip",
                              .complete = Complete::kSoc,
                              .preset = "Ascend910B1"},
                             input_flag()};
  for (Flag& flag : shape_flags()) flags.push_back(std::move(flag));
  flags.push_back({.name = "--seed",
                   .value = "N",
                   .help = "of the values of inputs without a file",
                   .integer = true,
                   .preset = "1"});
  flags.push_back({.name = "--warm",
                   .value = "N",
                   .help = "runs before the one that counts: what they leave in L2 stays there",
                   .integer = true,
                   .most = 100,
                   .preset = "0"});
  flags.push_back({.name = "--trace",
                   .value = "FILE",
                   .help = "write a timeline that Perfetto and chrome://tracing open",
                   .complete = Complete::kFile});
  flags.push_back({.name = "--out",
                   .value = "DIR",
                   .help = "write the files of msProf op (PipeUtilization.csv, ...), the timeline "
                           "and a summary",
                   .complete = Complete::kDirectory});
  for (Flag& flag : choice_flags()) flags.push_back(std::move(flag));
  return {
      .name = "profile",
      .summary = "modelled time of one call: cycles, pipes, traffic, timeline",
      .details =
          "The figures come from the timing model, not from a clock: they are the same on every\n"
          "machine. Chips without measured figures are refused.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package, a built project, or ./program of "
                               "opkit cc",
                       .complete = Complete::kOp}},
      .flags = std::move(flags),
      .examples = {{"opkit profile AddRelu --shape x=1048576 --shape y=1048576 --dtype float16",
                    "on Ascend910B1, L2 cold"},
                   {"opkit profile AddRelu --shape x=65536 --shape y=65536 --trace t.json",
                    "and the timeline of every pipe"},
                   {"opkit profile ./add --out profile",
                    "every launch of a program that opkit cc built"}},
      .run = run,
  };
}

}  // namespace opkit::cli
