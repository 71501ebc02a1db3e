#include <fmt/format.h>

#include "opkit/call/infer/infer.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/commands/author_shapes.h"
#include "opkit/cli/options/call_options.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/terminal/exit_code.h"

namespace opkit::cli {
namespace {

// Returns the plugin of what the word names, if it has one: a contract alone has none, nor a
// project that is not built.
Result<OpenedOp> plugin_of(const std::string& word, const Arguments& arguments, Console& console) {
  if (word.ends_with(".yaml") || word.ends_with(".yml"))
    return Error("OPK-FILE-001", "a contract alone has no plugin", "name an op");
  return choose_op(word, "", arguments, open_options(arguments, console), console);
}

Outcome run_infer(const Arguments& arguments, Console& console) {
  const std::string word = arguments.get("op");
  OPKIT_CHECK(check_locked(word, arguments));
  const auto op = plugin_of(word, arguments, console);
  Result<OpContract> chosen =
      op.ok() ? Result<OpContract>(op->contract) : choose_contract(word, arguments, console);
  OPKIT_TRY(const OpContract contract, std::move(chosen));
  OPKIT_TRY(const measure::SaidCall options, read_call_options(contract, arguments));
  OPKIT_TRY(const auto inputs, facts_of(contract, options));
  OPKIT_TRY(const Binding binding, bind_facts(contract, inputs, options.attrs));
  OPKIT_TRY(const auto outputs, infer(contract, binding));
  AuthorShapes author;
  if (op.ok()) {
    OPKIT_TRY(author, ask_author(*op, contract, inputs, binding, outputs));
  } else {
    author.not_asked = op.error().message;
  }
  Json json = infer_json(contract, inputs, binding, outputs);
  json["author"] = to_json(author);
  if (op.ok()) json["author"]["runs"] = op->runs;
  console.show(json, infer_text(contract, inputs, binding, outputs) + to_text(author));
  return author.agrees.ok() ? kOk : kFailed;
}

}  // namespace

Command infer_command() {
  std::vector<Flag> flags = shape_flags();
  for (Flag& flag : choice_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  return {
      .name = "infer",
      .summary = "output shapes and dtypes from the contract and from the author's functions",
      .details =
          "Dims may be unknown (?) or a range (1..64); [...] is an unknown rank. Constraints that\n"
          "the shapes break are errors, with the contract's line. A plugin's InferShape and\n"
          "InferDataType are asked, too; exit code 1 when they say something else.",
      .positionals = {{.name = "op",
                       .help = "a contract file, an op project, a package or an installed op",
                       .complete = Complete::kOp}},
      .flags = std::move(flags),
      .examples = {{"opkit infer AddRelu --shape x=32,128 --shape y=32,128 --dtype float16",
                    "what AddRelu makes of two tensors"},
                   {"opkit infer my_fused --shape x=?,1..64 --shape y=?,1..64",
                    "with dims that are not known yet"}},
      .run = run_infer,
  };
}

}  // namespace opkit::cli
