#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "opkit/cli/aipp_inputs.h"
#include "opkit/cli/all_commands.h"
#include "opkit/cli/chip_ops.h"
#include "opkit/cli/console.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/model_inputs.h"
#include "opkit/cli/op_choice.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/progress.h"
#include "opkit/cli/samples.h"
#include "opkit/cli/table.h"
#include "opkit/model/gears.h"
#include "opkit/model/om_file.h"
#include "opkit/model_run/model_runner.h"

namespace opkit::cli {
namespace {

// Parts of a frame, in the order in which they happen; the last is what is left of the frame.
constexpr const char* kParts[] = {"T_pre", "T_h2d", "T_infer", "T_d2h", "T_post", "T_idle"};
constexpr size_t kPartCount = std::size(kParts);

struct Frame {
  double parts[kPartCount] = {};
  double total = 0;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Holds what one frame gave.
struct Answer {
  std::vector<int64_t> largest;  // of each output
  size_t gear = 0;
};

// What a program does at least with results: it reads them. The place of each largest element.
std::vector<int64_t> largest(const std::vector<Tensor>& outputs) {
  std::vector<int64_t> places;
  for (const Tensor& output : outputs) {
    int64_t best = 0;
    for (int64_t i = 1; i < output.elements(); ++i)
      if (output.at(i) > output.at(best)) best = i;
    places.push_back(best);
  }
  return places;
}

Result<Frame> run_frame(model_run::ModelRunner& runner, const Arguments& arguments,
                        Answer& answer) {
  Frame frame;
  const auto start = std::chrono::steady_clock::now();
  OPKIT_TRY(const std::vector<Tensor> inputs,
            model_inputs(runner.model(), arguments, WithoutFile::kGenerated));
  frame.parts[0] = seconds_since(start);
  model_run::RunTimes times;
  OPKIT_TRY(const std::vector<Tensor> outputs, runner.run(inputs, &times));
  const auto ran = std::chrono::steady_clock::now();
  answer.largest = largest(outputs);
  frame.parts[4] = seconds_since(ran);
  frame.total = seconds_since(start);
  const uint64_t steps = std::accumulate(times.steps.begin(), times.steps.end(), uint64_t{0});
  OPKIT_TRY(answer.gear, gear_of(runner.model(), inputs));
  frame.parts[1] = static_cast<double>(times.copied_in) * 1e-9;
  frame.parts[2] = static_cast<double>(steps) * 1e-9;
  frame.parts[3] = static_cast<double>(times.copied_out) * 1e-9;
  const double known = std::accumulate(frame.parts, frame.parts + 5, 0.0);
  frame.parts[5] = std::max(0.0, frame.total - known);
  return frame;
}

// What all frames say of each part, and of the whole behind them.
std::vector<SampleSummary> summaries(const std::vector<Frame>& frames) {
  std::vector<SampleSummary> all;
  for (size_t p = 0; p <= kPartCount; ++p) {
    std::vector<double> samples;
    for (const Frame& frame : frames)
      samples.push_back(p < kPartCount ? frame.parts[p] : frame.total);
    all.push_back(summary_of(std::move(samples)));
  }
  return all;
}

const char* word_of(size_t part) { return part < kPartCount ? kParts[part] : "T_total"; }

Json json_of(const SampleSummary& one, double whole) {
  return {{"mean_seconds", one.mean},
          {"p50_seconds", one.p50},
          {"p95_seconds", one.p95},
          {"least_seconds", one.least},
          {"cv", one.cv},
          {"noisy", one.noisy()},
          {"share", whole > 0 ? one.mean / whole : 0}};
}

std::string text_of(const std::vector<SampleSummary>& all, const Palette& palette) {
  Table table({"part", ">mean ms", ">p50", ">p95", ">CV", ">share"});
  const double whole = all.back().mean;
  for (size_t p = 0; p < all.size(); ++p) {
    const auto ms = [](double seconds) { return fmt::format("{:.4f}", seconds * 1e3); };
    table.add({word_of(p), ms(all[p].mean), ms(all[p].p50), ms(all[p].p95),
               fmt::format("{:.3f}{}", all[p].cv, all[p].noisy() ? " !" : ""),
               fmt::format("{:.1f} %", whole > 0 ? 100 * all[p].mean / whole : 0)});
  }
  return table.to_string(palette);
}

void show(const model_run::ModelRunner& runner, const std::vector<SampleSummary>& all,
          const Answer& answer, const std::string& runs, Console& console) {
  const model::OfflineModel& model = runner.model();
  const SampleSummary& whole = all.back();
  const auto limiting = std::max_element(
      all.begin(), all.end() - 1, [](const auto& a, const auto& b) { return a.mean < b.mean; });
  const char* const limit = word_of(static_cast<size_t>(limiting - all.begin()));
  const double throughput = 1 / whole.mean, overlapped = 1 / limiting->mean;
  Json parts = Json::object();
  for (size_t p = 0; p < all.size(); ++p) parts[word_of(p)] = json_of(all[p], whole.mean);
  const model_run::ModelMemory memory = model_run::memory_of(model);
  Json json{{"model", model.name},
            {"soc", model.soc},
            {"runs", runs},
            {"mode", "fast"},
            {"samples", whole.count},
            {"parts", std::move(parts)},
            {"throughput_fps", throughput},
            {"limiting_part", limit},
            {"overlapped_fps", overlapped},
            {"memory_bytes", memory.weights + memory.work},
            {"largest", answer.largest}};
  const std::vector<int64_t> gear = model::gear_values(model, answer.gear);
  if (!gear.empty()) json["gear"] = gear;
  std::string text =
      fmt::format("{} for {}{}, {} frames, on this machine in fast mode; plugins ran {}\n",
                  model.name, model.soc, gear_words(gear), whole.count, runs) +
      text_of(all, console.out());
  text += fmt::format(
      "throughput {:.2f} frames/s; {} limits it: {:.2f} frames/s if the other parts "
      "ran beside it\n",
      throughput, limit, overlapped);
  if (std::any_of(all.begin(), all.end(), [](const SampleSummary& one) { return one.noisy(); }))
    text += "! CV above 0.15: something else ran beside; compare p50, or measure again\n";
  console.show(json, text);
}

Outcome run_model_bench(const Arguments& arguments, Console& console) {
  OPKIT_TRY(model::OfflineModel model, model::load(arguments.get("model")));
  const registry::Registry registry = open_registry(arguments, console);
  const InstalledOps ops = open_ops(registry, model.soc, arguments, console);
  OPKIT_TRY(model_run::ModelRunner runner,
            model_run::ModelRunner::load(std::move(model), ops,
                                         static_cast<unsigned>(arguments.integer("--threads"))));
  const auto warm = static_cast<size_t>(arguments.integer("--warm"));
  const auto count = static_cast<size_t>(arguments.integer("--samples"));
  std::vector<Frame> frames;
  Answer answer;
  {
    Progress progress(console, "bench " + runner.model().name);
    for (size_t i = 0; i < warm + count; ++i) {
      progress.advance(i, warm + count, i < warm ? "warm-up" : "frames");
      OPKIT_TRY(const Frame frame, run_frame(runner, arguments, answer));
      if (i >= warm) frames.push_back(frame);
    }
  }
  show(runner, summaries(frames), answer, runs_where(arguments), console);
  return kOk;
}

std::vector<Flag> model_bench_flags() {
  std::vector<Flag> all = {model_input_flag("a .npy file for an input, read for every frame; "
                                            "without one its values are generated, zeros "
                                            "of int32 and int64"),
                           aipp_flag(),
                           gear_flag(),
                           {.name = "--seed",
                            .value = "N",
                            .help = "of the values of inputs without a file",
                            .integer = true,
                            .preset = "1"}};
  for (Flag& flag : sample_flags()) all.push_back(std::move(flag));
  for (Flag& flag : worker_flags(Worker::kUnlessToldOtherwise)) all.push_back(std::move(flag));
  all.push_back(opp_flag());
  return all;
}

}  // namespace

Command model_bench_command() {
  return {
      .name = "model bench",
      .summary = "time an offline model on this machine, part by part of a frame",
      .details =
          "Frames follow each other: T_pre reads or makes the inputs, T_h2d copies them to the\n"
          "model's memory, T_infer runs the steps, T_d2h copies outputs, T_post reads every\n"
          "element of them once, T_idle is the rest. Mean, median, 95th percentile and the\n"
          "coefficient of variation, marked when it is above 0.15. T_idle has what copies tensors\n"
          "to the plugins' workers and back; --in-process does without. `opkit model profile`\n"
          "models the chip's time.",
      .positionals = {{.name = "model",
                       .help = "a file that atc wrote",
                       .complete = Complete::kFile}},
      .flags = model_bench_flags(),
      .examples = {{"opkit model bench resnet50.om --json", "3 warm-ups, 50 frames"},
                   {"opkit model bench net.om --input x=cat.npy --samples 200 --threads 1",
                    "on a file, on one CPU"}},
      .run = run_model_bench};
}

}  // namespace opkit::cli
