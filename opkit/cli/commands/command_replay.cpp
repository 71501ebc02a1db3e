#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/verify/capsule.h"

namespace opkit::cli {
namespace {

constexpr size_t kMostBytes = size_t{8} << 20;  // limits a file; the reader's own limit is smaller

Json json_of(const verify::Capsule& capsule, const verify::CapsuleReplay& replay,
             const std::string& package) {
  return {{"op", capsule.op},
          {"package", package},
          {"problem", replay.result.line},
          {"inputs_from", replay.from_bytes ? "bytes" : "seed"},
          {"then", {{"verdict", capsule.verdict}, {"reason", capsule.reason}}},
          {"now",
           {{"verdict", std::string(name_of(replay.result.verdict))},
            {"reason", replay.result.reason},
            {"code", replay.result.code}}},
          {"same_plugin", replay.same_plugin},
          {"same_inputs", replay.same_inputs},
          {"same_outputs", replay.same_outputs},
          {"same_verdict", replay.same_verdict},
          {"replayed", replay.same()},
          {"trace", capsule.trace}};
}

std::string text_of(const verify::Capsule& capsule, const verify::CapsuleReplay& replay,
                    const Palette& palette) {
  std::string text =
      fmt::format("{} {}: {}\n", capsule.op, capsule.version,
                  replay.same() ? palette.paint(Style::kGreen, "replayed bit for bit")
                                : palette.paint(Style::kRed, "something has changed"));
  text += fmt::format("then {} {}\n", capsule.verdict, capsule.reason);
  for (const std::string& line : capsule.trace) text += fmt::format("  {}\n", line);
  return text + "now " + replay.to_string();
}

Outcome run_replay(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const std::string text, read_file(arguments.get("capsule"), kMostBytes));
  OPKIT_TRY(const verify::Capsule capsule, verify::read_capsule(text));
  const std::string word = arguments.get("op").empty() ? capsule.op : arguments.get("op");
  OpenOptions options = open_options(arguments, console);
  options.counts_crashes = false;  // it is the crash that is looked for
  OPKIT_TRY(const OpenedOp op, choose_op(word, capsule.soc, arguments, options, console));
  if (op.contract.op != capsule.op)
    return Error("OPK-CLI-018",
                 fmt::format("the capsule is of {}, {} holds {}", capsule.op, word, op.contract.op),
                 fmt::format("name a package of {}", capsule.op));
  OPKIT_TRY(const verify::CapsuleReplay replay, verify::replay(capsule, *op.executor));
  console.show(json_of(capsule, replay, op.package.root.string()),
               text_of(capsule, replay, console.out()));
  return replay.same() ? kOk : kFailed;
}

}  // namespace

Command replay_command() {
  std::vector<Flag> flags;
  for (Flag& flag : choice_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : worker_flags(WorkerUse::kAlways)) flags.push_back(std::move(flag));
  return {
      .name = "replay",
      .summary = "run a failure that was kept in a capsule again, bit for bit",
      .details =
          "A capsule is the file that a failing test leaves: the contract, the library's digest, "
          "the\n"
          "chip, the inputs and the verdict. Says whether the inputs, the outputs and the verdict "
          "are\n"
          "the same now. Exit code 0 when the failure came back bit for bit, 1 when something has\n"
          "changed.",
      .positionals = {{.name = "capsule",
                       .help = "a .capsule.json file",
                       .complete = Complete::kFile},
                      {.name = "op",
                       .help = "an installed op, a package or a built project [the capsule's op]",
                       .complete = Complete::kOp,
                       .required = false}},
      .flags = std::move(flags),
      .examples = {{"opkit replay results/MyFused-1b2c3d4e5f60.capsule.json",
                    "with the installed MyFused"},
                   {"opkit replay results/MyFused-1b2c3d4e5f60.capsule.json my_fused",
                    "with the project in ./my_fused: is it mended?"}},
      .run = run_replay,
  };
}

}  // namespace opkit::cli
