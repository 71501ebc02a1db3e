#include "opkit/cli/options/prepared_call.h"

#include <utility>

#include "opkit/cli/options/call_options.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/measure/said/tensor_source.h"
#include "opkit/soc/soc_names.h"

namespace opkit::cli {

std::vector<Flag> call_flags() {
  std::vector<Flag> flags = {{.name = "--soc",
                              .value = "NAME",
                              .help = "the chip",
                              .complete = Complete::kSoc,
                              .preset = default_soc()},
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
                                   const OpenOptions& options, Console& console) {
  ChosenOp chosen;
  OPKIT_TRY(chosen.soc, checked_soc(arguments.get("--soc"), console));
  OPKIT_TRY(const SocMatch match, find_soc(chosen.soc));
  chosen.spec = match.spec;
  OPKIT_TRY(OpenedOp op, choose_op(word, chosen.soc, arguments, options, console));
  chosen.op = std::make_unique<OpenedOp>(std::move(op));
  return chosen;
}

bool says_inputs(const Arguments& arguments) {
  return arguments.has("--shape") || arguments.has("--in");
}

Flag case_flag(const std::string& help) {
  return {
      .name = "--case", .value = "N", .help = help, .integer = true, .least = 1, .most = 100000};
}

Result<Invocation> invocation_of(const ChosenOp& chosen, measure::SaidCall options,
                                 const measure::Filler& filler, unsigned threads) {
  return invocation_of(*chosen.op, chosen.soc, std::move(options), filler, threads);
}

Result<Invocation> invocation_of(const ChosenOp& chosen, const Arguments& arguments,
                                 unsigned threads) {
  OPKIT_TRY(measure::SaidCall options, read_call_options(chosen.contract(), arguments));
  return invocation_of(chosen, std::move(options), measure::uniform(seed_of(arguments)), threads);
}

Result<SharedPlan> plan_of(const ChosenOp& chosen, const Arguments& arguments) {
  OPKIT_TRY(const measure::SaidCall options, read_call_options(chosen.contract(), arguments));
  return plan_of(*chosen.op, chosen.soc, options);
}

uint64_t seed_of(const Arguments& arguments) {
  return static_cast<uint64_t>(arguments.integer("--seed"));
}

uint64_t schedule_seed(const Arguments& arguments) {
  return static_cast<uint64_t>(arguments.integer("--schedule-seed"));
}

}  // namespace opkit::cli
