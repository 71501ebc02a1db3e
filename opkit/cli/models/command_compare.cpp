// opkit compare: fused ops beside the separate ops that compute the same.
#include <fmt/format.h>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/models/comparison.h"
#include "opkit/cli/models/model_comparison.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/cli/options/sample_flags.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/measure/bench/bench_case.h"

namespace opkit::cli {
namespace {

// Refuses what describes one call: it has nothing to say of all ops.
Status of_one_op(const Arguments& arguments) {
  for (const char* word : {"op", "--shape", "--in", "--attr", "--format", "--out-shape"}) {
    if (!arguments.has(word)) continue;
    return Error("OPK-CLI-003", fmt::format("{} and --all do not go together", word),
                 "compare one op by its name, or leave this out");
  }
  return {};
}

Outcome compare_every_op(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(of_one_op(arguments));
  OPKIT_TRY(const ComparedOps all, compare_all(arguments, console));
  console.show(json_of(all), text_of(all, console.out()));
  return all.failed.empty() ? kOk : kFailed;
}

Outcome run_compare(const Arguments& arguments, Console& console) {
  if (arguments.has("--model")) return compare_whole_model(arguments, console);
  if (arguments.has("--all")) return compare_every_op(arguments, console);
  if (!arguments.has("op"))
    return Error("OPK-CLI-003", "no op is named", "name a fused op, or give --all or --model");
  OPKIT_TRY(const Compared one, compare_op(arguments.get("op"), arguments, console));
  console.show(json_of(one), text_of(one, console.out()));
  return kOk;
}

std::vector<Flag> compare_flags() {
  std::vector<Flag> flags = call_flags();
  for (Flag& flag : worker_flags(WorkerUse::kAlways)) flags.push_back(std::move(flag));
  Flag one = case_flag("which of the contract's bench shapes");
  one.preset = "1";
  flags.push_back(std::move(one));
  for (Flag& flag : sample_flags()) flags.push_back(std::move(flag));
  flags.push_back({.name = "--seconds",
                   .value = "N",
                   .help = "measure this machine for so long, whatever --samples says; 0: no limit",
                   .integer = true,
                   .most = 1000000,
                   .preset = "60"});
  flags.push_back({.name = "--all",
                   .value = "",
                   .help = "every installed op of several operators, at its bench shape"});
  for (Flag& flag : model_comparison_flags()) flags.push_back(std::move(flag));
  return flags;
}

}  // namespace

Command compare_command() {
  return {
      .name = "compare",
      .summary = "a fused op beside the separate ops that compute the same",
      .details =
          "Both sides get the same data on the same chip: launches, traffic through global "
          "memory,\n"
          "modelled time, time of this machine, and distance from the reference. The separate "
          "side\n"
          "is the cheapest choice of installed ops of one operator each. --json has every pipe "
          "and\n"
          "every tensor of every launch. With --all exit code 1 says that an op could not be "
          "compared.\n"
          "With --model both covers of a model are compared on data, then every place where a "
          "fused\n"
          "op fits, chosen or not; what is slower is diagnosed.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package or a project",
                       .complete = Complete::kOp,
                       .required = false}},
      .flags = compare_flags(),
      .examples = {{"opkit compare LayerNormGelu", "at the first of its bench shapes"},
                   {"opkit compare AddRelu --soc Ascend310B1 --shape x=256 --shape y=256 --json",
                    "one call, for scripts"},
                   {"opkit compare --model net.onnx --soc Ascend310B1",
                    "why is the fused model not faster?"},
                   {"opkit compare --all --warm 0 --samples 1", "all fused ops, a row each"}},
      .run = run_compare,
  };
}

}  // namespace opkit::cli
