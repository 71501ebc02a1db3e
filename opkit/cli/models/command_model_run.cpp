#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "opkit/base/counted.h"
#include "opkit/base/digest.h"
#include "opkit/base/npy.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/models/aipp_inputs.h"
#include "opkit/cli/models/model_inputs.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/threads_flag.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/model/file/gears.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/run/model_runner.h"

namespace opkit::cli {
namespace {

using model::OfflineModel;

using Files = std::map<std::string, std::string>;  // maps each output to its file

// Keeps the outputs that have a file, and tells of all.
Result<Json> keep(const std::vector<Tensor>& outputs, const std::vector<std::string>& names,
                  const Files& files, std::string& text) {
  Json list = Json::array();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& output = outputs[i];
    const auto file = files.find(names[i]);
    if (file != files.end()) OPKIT_CHECK(save_npy(file->second, output));
    const std::string digest =
        sha256_hex({reinterpret_cast<const char*>(output.data()), output.size_bytes()});
    list.push_back({{"name", names[i]},
                    {"dtype", name_of(output.dtype())},
                    {"shape", output.shape().dims()},
                    {"sha256", digest}});
    text += fmt::format("{}  sha256 {}\n", output.desc().to_string(), digest.substr(0, 16));
  }
  return list;
}

size_t host_steps(const model::Plan& plan) {
  return static_cast<size_t>(
      std::count_if(plan.steps.begin(), plan.steps.end(),
                    [](const model::Step& step) { return step.kind == model::StepKind::kHost; }));
}

// Counts the steps of a gear's plan and of its bodies, each once.
struct StepCounts {
  size_t all = 0, host = 0, in_bodies = 0;
};
StepCounts steps_of(const OfflineModel& model, size_t gear) {
  const model::Plan& plan = model.plan(gear);
  StepCounts counts{plan.steps.size(), host_steps(plan), 0};
  for (const model::Body& body : model.bodies) {
    if (body.gear != gear) continue;
    counts.all += body.steps.size();
    counts.in_bodies += body.steps.size();
    counts.host += host_steps(body);
  }
  return counts;
}

void show(const OfflineModel& ran, size_t gear, double seconds, const std::string& runs,
          const Json& outputs, const std::string& text, Console& console) {
  const StepCounts steps = steps_of(ran, gear);
  Json json{{"model", ran.name},  {"soc", ran.soc},           {"runs", runs},
            {"steps", steps.all}, {"host_steps", steps.host}, {"seconds", seconds},
            {"outputs", outputs}};
  if (!ran.bodies.empty()) json["steps_in_bodies"] = steps.in_bodies;
  const std::vector<int64_t> values = model::gear_values(ran, gear);
  if (!values.empty()) json["gear"] = values;
  const std::string inside =
      steps.in_bodies == 0 ? "" : fmt::format("{} of them in bodies, ", steps.in_bodies);
  console.show(json,
               text + fmt::format("{} on {}{}: {}, {}{} of them operators on the host, "
                                  "{:.3f} s on this machine; plugins ran {}\n",
                                  ran.name, ran.soc, gear_words(values), counted(steps.all, "step"),
                                  inside, steps.host, seconds, runs));
}

Outcome run_model_run(const Arguments& arguments, Console& console) {
  OPKIT_TRY(OfflineModel model, model::load(arguments.get("model")));
  OPKIT_TRY(const std::vector<Tensor> inputs,
            model_inputs(model, arguments, WithoutFile::kRefused));
  const std::vector<std::string> names = names_of(model, model.outputs);
  OPKIT_TRY(const auto files, model_files(arguments, "--out", names));
  for (const auto& [name, file] : files) OPKIT_CHECK(check_writable(file));
  const registry::Registry registry = open_registry(arguments, console);
  const InstalledOps ops = open_ops(registry, model.soc, arguments, console);
  const auto threads = static_cast<unsigned>(arguments.integer("--threads"));
  OPKIT_TRY(model_run::ModelRunner runner,
            model_run::ModelRunner::load(std::move(model), ops, threads));
  const auto start = std::chrono::steady_clock::now();
  OPKIT_TRY(const std::vector<Tensor> outputs, runner.run(inputs));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::string text;
  OPKIT_TRY(const Json list, keep(outputs, names, files, text));
  OPKIT_TRY(const size_t gear, gear_of(runner.model(), inputs));
  show(runner.model(), gear, seconds, runs_where(arguments), list, text, console);
  return kOk;
}

}  // namespace

Command model_run_command() {
  std::vector<Flag> flags = {model_input_flag("a .npy file for an input"),
                             aipp_flag(),
                             {.name = "--out",
                              .value = "NAME=FILE",
                              .help = "a .npy file for an output",
                              .complete = Complete::kFile,
                              .repeated = true},
                             threads_flag()};
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  flags.push_back(opp_flag());
  return {.name = "model run",
          .summary = "run an offline model on the emulated chip",
          .details =
              "Kernels run in Fast mode at the addresses of the model's memory plan. The plugins\n"
              "must be those that the model was made with; each runs in a worker, whose end names\n"
              "the step. Of a model with gears the dims of the inputs choose one.",
          .positionals = {{.name = "model",
                           .help = "a file that atc wrote",
                           .complete = Complete::kFile}},
          .flags = std::move(flags),
          .examples = {{"opkit model run resnet50.om --input data=cat.npy --out prob=prob.npy",
                        "on a file"}},
          .run = run_model_run};
}

}  // namespace opkit::cli
