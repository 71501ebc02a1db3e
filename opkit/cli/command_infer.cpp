#include <fmt/format.h>

#include "opkit/cli/all_commands.h"
#include "opkit/cli/call_options.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/op_choice.h"
#include "opkit/infer/infer.h"

namespace opkit::cli {
namespace {

Outcome run(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const OpContract contract, choose_contract(arguments.get("op"), arguments, console));
  OPKIT_TRY(const CallOptions options, read_call_options(contract, arguments));
  OPKIT_TRY(const auto inputs, facts_of(contract, options));
  OPKIT_TRY(const Binding binding, opkit::bind(contract, inputs, options.attrs));
  OPKIT_TRY(const auto outputs, infer(contract, binding));
  console.show(infer_json(contract, inputs, binding, outputs),
               infer_text(contract, inputs, binding, outputs));
  return kOk;
}

}  // namespace

Command infer_command() {
  std::vector<Flag> flags = shape_flags();
  for (Flag& flag : choice_flags()) flags.push_back(std::move(flag));
  return {
      .name = "infer",
      .summary = "output shapes and dtypes from the contract",
      .details =
          "Dims may be unknown (?) or a range (1..64); [...] is an unknown rank. Constraints that\n"
          "the shapes break are errors, with the contract's line.",
      .positionals = {{.name = "op",
                       .help = "a contract file, an op project, a package or an installed op",
                       .complete = Complete::kOp}},
      .flags = std::move(flags),
      .examples = {{"opkit infer AddRelu --shape x=32,128 --shape y=32,128 --dtype float16",
                    "what AddRelu makes of two tensors"},
                   {"opkit infer my_fused --shape x=?,1..64 --shape y=?,1..64",
                    "with dims that are not known yet"}},
      .run = run,
  };
}

}  // namespace opkit::cli
