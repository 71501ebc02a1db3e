#include <fmt/format.h>

#include <chrono>

#include "opkit/base/digest.h"
#include "opkit/base/npz.h"
#include "opkit/cli/all_commands.h"
#include "opkit/cli/call_options.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/generated.h"
#include "opkit/cli/launch.h"
#include "opkit/cli/op_choice.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/table.h"
#include "opkit/cli/tensor_source.h"

namespace opkit::cli {
namespace {

// Where the outputs go: one file per output, or an archive of all.
struct Targets {
  std::map<std::string, std::string> files;  // output -> .npy
  std::string archive;                       // .npz, or empty
};

Result<Targets> read_targets(const OpContract& contract, const Arguments& arguments) {
  Targets targets;
  for (const std::string& text : arguments.all("--out")) {
    if (text.find('=') == std::string::npos && text.ends_with(".npz")) {
      targets.archive = text;
      continue;
    }
    OPKIT_TRY(const Assignment given, parse_assignment("--out", text));
    if (!contract.output(given.name)) {
      std::vector<std::string> known;
      for (const Port& port : contract.outputs) known.push_back(port.name);
      return Error("OPK-CLI-007",
                   fmt::format("--out {}: {} has no output of this name; it has: {}", given.name,
                               contract.op, fmt::join(known, ", ")),
                   fmt::format("--out {}={}", known.front(), given.value));
    }
    targets.files[given.name] = given.value;
  }
  return targets;
}

Status save(const Targets& targets, const std::vector<PortTensors>& outputs) {
  std::vector<Tensor> all;
  for (const PortTensors& port : outputs) {
    for (size_t i = 0; i < port.size(); ++i) {
      Tensor tensor = port[i];
      const std::string name = tensor.desc().name;
      const auto file = targets.files.find(name);
      if (file != targets.files.end() && port.size() == 1) {
        OPKIT_CHECK(save_npy(file->second, tensor));
      } else if (file != targets.files.end()) {
        return Error("OPK-CLI-013",
                     fmt::format("output {} is {} tensors, not one", name, port.size()),
                     "--out all.npz keeps them all");
      }
      if (port.size() > 1) tensor.desc().name = fmt::format("{}{}", name, i);
      all.push_back(std::move(tensor));
    }
  }
  return targets.archive.empty() ? Status{} : save_npz(targets.archive, all);
}

std::string first_elements(const Tensor& tensor) {
  constexpr int64_t kMost = 4;
  std::string text;
  for (int64_t i = 0; i < std::min(kMost, tensor.elements()); ++i) {
    text += fmt::format("{}{:.6g}", i ? ", " : "", tensor.at(i));
  }
  return tensor.elements() > kMost ? text + ", ..." : text;
}

std::string digest_of(const Tensor& tensor) {
  return sha256_hex({reinterpret_cast<const char*>(tensor.data()), tensor.size_bytes()});
}

Json outputs_json(const std::vector<PortTensors>& outputs) {
  Json list = Json::array();
  for (const PortTensors& port : outputs) {
    for (const Tensor& tensor : port) {
      Json entry{{"name", tensor.desc().name}, {"dtype", std::string(name_of(tensor.dtype()))}};
      entry["shape"] = tensor.shape().dims();
      entry["sha256"] = digest_of(tensor);
      list.push_back(std::move(entry));
    }
  }
  return list;
}

std::string outputs_text(const std::vector<PortTensors>& outputs, const Palette& palette) {
  Table table({"output", "elements", "sha256"});
  for (const PortTensors& port : outputs) {
    for (const Tensor& tensor : port) {
      table.add(
          {tensor.desc().to_string(), first_elements(tensor), digest_of(tensor).substr(0, 16)});
    }
  }
  return table.to_string(palette);
}

void show(const PreparedRun& prepared, const Launched& launched, const LoadedOp& op,
          const std::string& soc, Console& console) {
  const TilingPlan& plan = prepared.plan();
  const std::string column = op.contract.column_name(prepared.binding().column);
  Json json{{"op", op.contract.op},
            {"soc", soc},
            {"column", column},
            {"mode", launched.mode},
            {"block_dim", plan.block_dim},
            {"tiling_key", plan.key},
            {"seconds", launched.seconds},
            {"printed", launched.printed}};
  json["outputs"] = outputs_json(prepared.outputs());
  json["findings"] = launched.findings;
  if (!launched.timing.is_null()) json["timing"] = launched.timing;
  console.emit(json);
  std::string text = launched.printed + outputs_text(prepared.outputs(), console.out());
  text += fmt::format("{} {} on {}, {} mode: {} blocks, tiling key {}, {:.3f} ms on this machine\n",
                      op.contract.op, column, soc, launched.mode, plan.block_dim, plan.key,
                      launched.seconds * 1e3);
  console.print(text + launched.text);
}

Outcome run(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const std::string soc, checked_soc(arguments.get("--soc"), console));
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  OPKIT_TRY(const LoadedOp op, choose_op(arguments.get("op"), soc, arguments, console));
  OPKIT_TRY(const CallOptions options, read_call_options(op.contract, arguments));
  OPKIT_TRY(const Targets targets, read_targets(op.contract, arguments));
  const auto seed = static_cast<uint64_t>(arguments.integer("--seed"));
  OPKIT_TRY(auto inputs, tensors_of(op.contract, options, uniform(seed)));
  OpRunner runner(*match.spec, static_cast<unsigned>(arguments.integer("--threads")));
  OPKIT_TRY(PreparedRun prepared,
            runner.prepare({&op.contract, &op.plugin.op(), std::move(inputs), options.attrs}));
  OPKIT_TRY(const Launched launched,
            launch(prepared, arguments.get("--mode"), op.contract.op, *match.spec, console.out()));
  OPKIT_CHECK(save(targets, prepared.outputs()));
  show(prepared, launched, op, soc, console);
  return launched.good ? kOk : kFailed;
}

}  // namespace

Command run_command() {
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
  flags.push_back({.name = "--out",
                   .value = "NAME=FILE",
                   .help = "an output to a .npy file; a .npz file alone takes all outputs",
                   .complete = Complete::kFile,
                   .repeated = true});
  flags.push_back(
      {.name = "--mode",
       .value = "MODE",
       .help = "fast: only compute; checked: judge every instruction; timed: model the time",
       .choices = launch_modes(),
       .preset = "fast"});
  flags.push_back({.name = "--threads",
                   .value = "N",
                   .help = "host threads in fast mode; 0: one per CPU",
                   .integer = true,
                   .most = 1024,
                   .preset = "0"});
  for (Flag& flag : choice_flags()) flags.push_back(std::move(flag));
  return {
      .name = "run",
      .summary = "run an op once on the emulated chip, on files or generated values",
      .details =
          "Infers, tiles and launches. An input without a file gets values that depend on the "
          "seed,\n"
          "its place and the element alone. Exit code 1 when the kernel is at fault.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package or a built project",
                       .complete = Complete::kOp}},
      .flags = std::move(flags),
      .examples = {{"opkit run MyFused --in x=x.npy --in y=y.npy --out z=z.npy", "on files"},
                   {"opkit run MyFused --shape x=1000 --shape y=1000 --seed 7 --mode checked",
                    "on generated values, with every check"}},
      .run = run,
  };
}

}  // namespace opkit::cli
