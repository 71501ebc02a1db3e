#include "opkit/cli/prepared_call.h"

#include <utility>

#include "opkit/cli/call_options.h"
#include "opkit/cli/generated.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/tensor_source.h"

namespace opkit::cli {

std::vector<Flag> call_flags() {
  std::vector<Flag> flags = {{.name = "--soc",
                              .value = "NAME",
                              .help = "the chip",
                              .complete = Complete::kSoc,
                              .preset = "Ascend910B1"},
                             input_flag()};
  for (Flag& flag : shape_flags()) flags.push_back(std::move(flag));
  flags.push_back(output_shape_flag());
  flags.push_back({.name = "--seed",
                   .value = "N",
                   .help = "of the values of inputs without a file",
                   .integer = true,
                   .preset = "1"});
  flags.push_back({.name = "--schedule-seed",
                   .value = "N",
                   .help = "another legal order of pipes and cores, poisoned buffers; 0: program "
                           "order; 1: everything as late as possible",
                   .integer = true,
                   .preset = "0"});
  for (Flag& flag : choice_flags()) flags.push_back(std::move(flag));
  return flags;
}

Result<ChosenOp> choose_op_and_soc(const std::string& word, const Arguments& arguments,
                                   Console& console) {
  ChosenOp chosen;
  OPKIT_TRY(chosen.soc, checked_soc(arguments.get("--soc"), console));
  OPKIT_TRY(const SocMatch match, find_soc(chosen.soc));
  chosen.spec = match.spec;
  OPKIT_TRY(LoadedOp op, choose_op(word, chosen.soc, arguments, console));
  chosen.op = std::make_unique<LoadedOp>(std::move(op));
  return chosen;
}

Result<PreparedCall> prepare_call(const ChosenOp& chosen, const Arguments& arguments,
                                  unsigned threads) {
  OPKIT_TRY(const CallOptions options, read_call_options(chosen.contract(), arguments));
  return prepare_options(chosen, options, static_cast<uint64_t>(arguments.integer("--seed")),
                         threads);
}

bool says_inputs(const Arguments& arguments) {
  return arguments.has("--shape") || arguments.has("--in");
}

Flag case_flag(const std::string& help) {
  return {
      .name = "--case", .value = "N", .help = help, .integer = true, .least = 1, .most = 100000};
}

Result<PreparedCall> prepare_options(const ChosenOp& chosen, const CallOptions& options,
                                     uint64_t seed, unsigned threads) {
  const OpContract& contract = chosen.contract();
  OPKIT_TRY(auto inputs, tensors_of(contract, options, uniform(seed)));
  auto runner = std::make_unique<OpRunner>(*chosen.spec, threads);
  OPKIT_TRY(PreparedRun prepared,
            runner->prepare({.contract = &contract,
                             .op = &chosen.op->plugin.op(),
                             .inputs = std::move(inputs),
                             .attrs = options.attrs,
                             .output_shapes = said_outputs(contract, options)}));
  return PreparedCall{std::move(runner), std::move(prepared)};
}

uint64_t schedule_seed(const Arguments& arguments) {
  return static_cast<uint64_t>(arguments.integer("--schedule-seed"));
}

}  // namespace opkit::cli
