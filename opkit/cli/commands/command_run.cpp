#include <fmt/format.h>

#include <thread>

#include "opkit/base/counted.h"
#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/base/npz.h"
#include "opkit/call/execute/execution.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/commands/run_stages.h"
#include "opkit/cli/options/call_options.h"
#include "opkit/cli/options/initial_outputs.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/cli/text/observation_text.h"
#include "opkit/cli/text/timed_text.h"
#include "opkit/contract/kernel_kind.h"
#include "opkit/measure/said/tensor_source.h"

namespace opkit::cli {
namespace {

// Where the outputs go: one file per output, or an archive of all.
struct Targets {
  std::map<std::string, std::string> files;  // output -> .npy
  std::string archive;                       // .npz, or empty
};

std::vector<std::string> result_names(const OpContract& contract) {
  std::vector<std::string> names;
  for (const Port& port : contract.inputs) {
    if (port.written) names.push_back(port.name);
  }
  for (const Port& port : contract.outputs) names.push_back(port.name);
  return names;
}

// Takes what the launch left: inputs that the kernel writes into, and the outputs.
std::vector<PortTensors> take_results(const OpContract& contract, Execution& execution) {
  std::vector<PortTensors> results;
  for (size_t p = 0; p < execution.inputs.size(); ++p) {
    if (contract.inputs[p].written) results.push_back(std::move(execution.inputs[p]));
  }
  for (PortTensors& output : execution.outputs) results.push_back(std::move(output));
  return results;
}

Result<Targets> read_targets(const OpContract& contract, const Arguments& arguments) {
  Targets targets;
  const std::vector<std::string> known = result_names(contract);
  for (const std::string& text : arguments.all("--out")) {
    if (text.find('=') == std::string::npos && text.ends_with(".npz")) {
      targets.archive = text;
      continue;
    }
    OPKIT_TRY(const Assignment given, parse_assignment("--out", text, known));
    if (std::count(known.begin(), known.end(), given.name) == 0) {
      return Error(
          "OPK-CLI-007",
          fmt::format("--out {}: {} has no output of this name; it has: {}", given.name,
                      contract.op, fmt::join(known, ", ")),
          known.empty() ? "leave --out out" : assigned("--out", known.front(), given.value));
    }
    if (!targets.files.emplace(given.name, given.value).second)
      return Error("OPK-CLI-004", fmt::format("--out names {} twice", given.name),
                   assigned("--out", given.name, given.value));
  }
  return targets;
}

// Checks what would otherwise be found out after the launch.
Status check_targets(const Targets& targets) {
  for (const auto& [name, file] : targets.files) OPKIT_CHECK(check_writable(file));
  return targets.archive.empty() ? Status{} : check_writable(targets.archive);
}

Status save(const Targets& targets, const std::vector<PortTensors>& outputs) {
  std::vector<Tensor> all;
  for (const PortTensors& port : outputs) {
    for (size_t i = 0; i < port.size(); ++i) {
      const std::string name = port[i].desc().name;
      const auto file = targets.files.find(name);
      if (file != targets.files.end() && port.size() == 1) {
        OPKIT_CHECK(save_npy(file->second, port[i]));
      } else if (file != targets.files.end()) {
        return Error("OPK-CLI-013",
                     fmt::format("output {} is {} tensors, not one", name, port.size()),
                     "--out all.npz keeps them all");
      }
      if (targets.archive.empty()) continue;
      all.push_back(port[i]);
      if (port.size() > 1) all.back().desc().name = fmt::format("{}{}", name, i);
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

// Digests every tensor, in order; each on a thread of its own.
std::vector<std::string> digests_of(const std::vector<PortTensors>& outputs) {
  std::vector<const Tensor*> tensors;
  for (const PortTensors& port : outputs) {
    for (const Tensor& tensor : port) tensors.push_back(&tensor);
  }
  std::vector<std::string> digests(tensors.size());
  std::vector<std::jthread> workers;
  for (size_t i = 1; i < tensors.size(); ++i)
    workers.emplace_back([&, i] { digests[i] = digest_of(*tensors[i]); });
  if (!tensors.empty()) digests[0] = digest_of(*tensors[0]);
  workers.clear();  // joins
  return digests;
}

Json outputs_json(const std::vector<PortTensors>& outputs,
                  const std::vector<std::string>& digests) {
  size_t next = 0;
  Json list = Json::array();
  for (const PortTensors& port : outputs) {
    for (const Tensor& tensor : port) {
      Json entry{{"name", tensor.desc().name}, {"dtype", std::string(name_of(tensor.dtype()))}};
      entry["shape"] = tensor.shape().dims();
      entry["sha256"] = digests[next++];
      list.push_back(std::move(entry));
    }
  }
  return list;
}

std::string outputs_text(const std::vector<PortTensors>& outputs,
                         const std::vector<std::string>& digests, const Palette& palette) {
  size_t next = 0;
  Table table({"output", "elements", "sha256"});
  for (const PortTensors& port : outputs) {
    for (const Tensor& tensor : port) {
      table.add({tensor.desc().to_string(), first_elements(tensor), digests[next++].substr(0, 16)});
    }
  }
  return table.to_string(palette);
}

struct Results {
  std::vector<PortTensors> tensors;
  std::vector<std::string> digests;
};

void show(const ChosenOp& chosen, const Observation& seen, const Results& results, Mode mode,
          Console& console) {
  const Execution& execution = seen.execution;
  const std::string& op = chosen.contract().op;
  const std::string column = chosen.contract().column_name(execution.column);
  const std::string& name = mode_names()[static_cast<size_t>(mode)];
  const std::string& printed = seen.watched.report.printed;
  Json json{{"op", op},
            {"soc", chosen.soc},
            {"runs", chosen.op->runs},
            {"column", column},
            {"mode", name},
            {"block_dim", execution.block_dim},
            {"tiling_key", execution.tiling_key},
            {"seconds", seen.seconds},
            {"printed", printed}};
  json["outputs"] = outputs_json(results.tensors, results.digests);
  json["findings"] = findings_json(seen);
  if (seen.watched.timed) json["timing"] = timed_json(*seen.watched.timed);
  console.emit(json);
  std::string text = printed;
  if (!results.tensors.empty())
    text += outputs_text(results.tensors, results.digests, console.out());
  if (!seen.watched.report.ok()) text += "no outputs: the launch ended early\n";
  text += fmt::format("{} {} on {}, {} mode: {}, tiling key {}, {:.3f} ms on this machine\n", op,
                      column, chosen.soc, name, counted(execution.block_dim, "block"),
                      execution.tiling_key, seen.seconds * 1e3);
  console.print(text + observation_text(seen, mode, console.out()));
}

WatchOptions watch_options(const Arguments& arguments) {
  WatchOptions options;
  options.mode = *mode_from_name(arguments.get("--mode"));
  options.checked.numerics = arguments.has("--numerics");
  options.checked.automatic_order = !arguments.has("--no-implied-order");
  options.weighs = true;
  return options;
}

// Checks what only the Checked mode looks at.
Status check_judged(const Arguments& arguments, Mode mode) {
  for (const char* flag : {"--numerics", "--no-implied-order"}) {
    if (arguments.has(flag) && mode != Mode::kChecked)
      return Error("OPK-CLI-003", fmt::format("{} is about the Checked mode", flag),
                   fmt::format("--mode checked {}", flag));
  }
  return {};
}

Status check_watched(const OpContract& contract, Mode mode) {
  if (mode != Mode::kChecked || !is_aicpu(contract)) return {};
  return contract.error("OPK-RUN-013",
                        fmt::format("{} runs on a processor of the host: the Checked mode finds no "
                                    "instructions that it could judge",
                                    contract.op),
                        "leave out --mode checked");
}

Status check_dry(const Arguments& arguments, Mode mode) {
  const auto refuse = [](const std::string& what) {
    return Error("OPK-CLI-032", "--dry computes nothing, and " + what,
                 "leave out --dry, or choose --mode checked or timed");
  };
  if (mode == Mode::kFast) return refuse("the fast mode does nothing else");
  if (arguments.has("--out")) return refuse("--out asks for outputs");
  if (arguments.has("--out-initial")) return refuse("--out-initial gives values");
  if (arguments.has("--numerics")) return refuse("--numerics looks at values");
  return {};
}

Result<Observation> watch_dry(const ChosenOp& chosen, const Arguments& arguments,
                              const WatchOptions& options) {
  OPKIT_CHECK(check_dry(arguments, options.mode));
  OPKIT_TRY(const SharedPlan plan, plan_of(chosen, arguments));
  return chosen.executor().watch_dry(plan, options, schedule_seed(arguments));
}

Result<Observation> watch(const ChosenOp& chosen, const Arguments& arguments,
                          const WatchOptions& options, RunStages& stages) {
  const auto threads = static_cast<unsigned>(arguments.integer("--threads"));
  OPKIT_TRY(Invocation call, invocation_of(chosen, arguments, threads));
  call.schedule_seed = schedule_seed(arguments);
  if (arguments.has("--out-initial"))
    OPKIT_CHECK(start_outputs(chosen.executor(), arguments, call));
  stages.watch(call);
  return chosen.executor().watch(std::move(call), options);
}

Outcome run_run(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const ChosenOp chosen, choose_op_and_soc(arguments.get("op"), arguments,
                                                     open_options(arguments, console), console));
  OPKIT_TRY(const Targets targets, read_targets(chosen.contract(), arguments));
  OPKIT_CHECK(check_targets(targets));
  const WatchOptions options = watch_options(arguments);
  OPKIT_CHECK(check_judged(arguments, options.mode));
  OPKIT_CHECK(check_watched(chosen.contract(), options.mode));
  RunStages stages(console, chosen.contract().op);
  OPKIT_TRY(Observation seen, arguments.has("--dry") ? watch_dry(chosen, arguments, options)
                                                     : watch(chosen, arguments, options, stages));
  OPKIT_CHECK(fault_of(seen, options.mode, chosen.contract().op));
  Results results;
  // A launch that ended early has left its outputs as they were, in part or whole.
  if (seen.watched.report.ok()) {
    stages.begin("keeping the outputs");
    results.tensors = take_results(chosen.contract(), seen.execution);
    OPKIT_CHECK(save(targets, results.tensors));
    stages.begin("sha256 of the outputs");
    results.digests = digests_of(results.tensors);
  }
  stages.finish();
  show(chosen, seen, results, options.mode, console);
  return seen.watched.good() ? kOk : kFailed;
}

}  // namespace

Command run_command() {
  std::vector<Flag> flags = call_flags();
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  flags.push_back({.name = "--out",
                   .value = "NAME=FILE",
                   .help = "an output to a .npy file; a .npz file alone takes all outputs",
                   .complete = Complete::kFile,
                   .repeated = true});
  flags.push_back(initial_output_flag());
  flags.push_back(
      {.name = "--mode",
       .value = "MODE",
       .help = "fast: only compute; checked: judge every instruction; timed: model the time",
       .choices = mode_names(),
       .preset = "fast"});
  flags.push_back({.name = "--numerics",
                   .value = "",
                   .help = "checked mode: warn of infinities, overflow of half, lost sums"});
  flags.push_back({.name = "--no-implied-order",
                   .value = "",
                   .help = "checked mode: the compiler orders nothing by itself"});
  flags.push_back({.name = "--dry",
                   .value = "",
                   .help = "checked and timed mode: no arithmetic and no tensors, for any shape"});
  flags.push_back({.name = "--threads",
                   .value = "N",
                   .help = "host threads in fast mode; 0: one per CPU",
                   .integer = true,
                   .most = 1024,
                   .preset = "0"});
  return {
      .name = "run",
      .summary = "run an op once on the emulated chip, on files or generated values",
      .details =
          "Infers, tiles and launches. An input without a file gets values that depend on the "
          "seed,\n"
          "its place and the element alone. Files hold dense tensors, whatever the op's formats:\n"
          "inputs are laid out for the kernel, outputs back. Exit code 1 when the kernel is at "
          "fault.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package or a built project",
                       .complete = Complete::kOp}},
      .flags = std::move(flags),
      .examples = {{"opkit run MyFused --in x=x.npy --in y=y.npy --out z=z.npy", "on files"},
                   {"opkit run MyFused --shape x=1000 --shape y=1000 --seed 7 --mode checked",
                    "on generated values, with every check"},
                   {"opkit run MyScatterAdd --in x=x.npy --in at=at.npy --out-initial z=0",
                    "of a kernel that adds into its output"},
                   {"opkit run MyFused --shape x=99999999 --shape y=99999999 --mode checked --dry",
                    "bounds, queues and races alone, without data"},
                   {"opkit run MyFused --shape x=1000 --shape y=1000 --schedule-seed 1",
                    "with every effect as late as the flags allow: same sha256 as without?"}},
      .run = run_run,
  };
}

}  // namespace opkit::cli
