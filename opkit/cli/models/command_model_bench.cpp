#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/models/aipp_inputs.h"
#include "opkit/cli/models/model_inputs.h"
#include "opkit/cli/models/step_times.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/sample_flags.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/measure/bench/samples.h"
#include "opkit/model/file/gears.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/run/model_runner.h"

namespace opkit::cli {
namespace {

using measure::SampleSummary;

// Parts of a frame, in the order in which they happen; the last is what is left of the frame.
constexpr const char* kParts[] = {"T_pre", "T_h2d", "T_infer", "T_d2h", "T_post", "T_idle"};
constexpr size_t kPartCount = std::size(kParts);

// Limits what --duration keeps in memory.
constexpr size_t kMostFrames = 1000000;

struct Frame {
  double parts[kPartCount] = {};
  double total = 0;
  std::vector<uint64_t> steps;  // nanoseconds of each step on this machine
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Holds what one frame gave.
struct Answer {
  std::vector<int64_t> largest;  // is the place of each output's largest value
  size_t gear = 0;
};

// Returns what a program does at least with results: it reads them. The place of each largest
// element.
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
  frame.steps = std::move(times.steps);
  frame.parts[1] = static_cast<double>(times.copied_in) * 1e-9;
  frame.parts[2] = static_cast<double>(steps) * 1e-9;
  frame.parts[3] = static_cast<double>(times.copied_out) * 1e-9;
  const double known = std::accumulate(frame.parts, frame.parts + 5, 0.0);
  frame.parts[5] = std::max(0.0, frame.total - known);
  return frame;
}

// Returns what all frames say of each part, and of the whole behind them.
std::vector<SampleSummary> summaries(const std::vector<Frame>& frames) {
  std::vector<SampleSummary> all;
  for (size_t p = 0; p <= kPartCount; ++p) {
    std::vector<double> samples;
    for (const Frame& frame : frames)
      samples.push_back(p < kPartCount ? frame.parts[p] : frame.total);
    all.push_back(measure::summary_of(std::move(samples)));
  }
  return all;
}

// Returns how many samples a frame takes: the leading dim that every input and output shares; 0
// where they share none, so that nobody takes another dim for a batch.
int64_t batch_of(const model::Plan& plan) {
  int64_t batch = 0;
  for (const auto* ends : {&plan.inputs, &plan.outputs}) {
    for (const uint32_t t : *ends) {
      const Shape& shape = plan.tensors[t].desc.shape;
      if (shape.rank() == 0 || (batch != 0 && shape[0] != batch)) return 0;
      batch = shape[0];
    }
  }
  return batch;
}

const char* word_of(size_t part) { return part < kPartCount ? kParts[part] : "T_total"; }

Json json_of(const SampleSummary& one, double whole) {
  return {{"mean_seconds", one.mean},
          {"p50_seconds", one.p50},
          {"p95_seconds", one.p95},
          {"p99_seconds", one.p99},
          {"least_seconds", one.least},
          {"most_seconds", one.most},
          {"deviation_seconds", one.deviation},
          {"cv", one.cv},
          {"noisy", one.noisy()},
          {"share", whole > 0 ? one.mean / whole : 0}};
}

std::string text_of(const std::vector<SampleSummary>& all, const Palette& palette) {
  Table table({"part", ">mean ms", ">least", ">p50", ">p95", ">p99", ">most", ">CV", ">share"});
  const double whole = all.back().mean;
  for (size_t p = 0; p < all.size(); ++p) {
    const auto ms = [](double seconds) { return fmt::format("{:.4f}", seconds * 1e3); };
    table.add({word_of(p), ms(all[p].mean), ms(all[p].least), ms(all[p].p50), ms(all[p].p95),
               ms(all[p].p99), ms(all[p].most),
               fmt::format("{:.3f}{}", all[p].cv, all[p].noisy() ? " !" : ""),
               fmt::format("{:.1f} %", whole > 0 ? 100 * all[p].mean / whole : 0)});
  }
  return table.to_string(palette);
}

void show(const model_run::ModelRunner& runner, const std::vector<SampleSummary>& all,
          const std::vector<StepTime>& steps, const Answer& answer, const std::string& runs,
          Console& console) {
  const model::OfflineModel& model = runner.model();
  const model::Plan& plan = model.plan(answer.gear);
  const int64_t batch = batch_of(plan);
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
  json["steps"] = steps_json(model, plan, steps);
  if (batch > 0) json["batch"] = batch;
  if (batch > 0) json["samples_per_second"] = throughput * static_cast<double>(batch);
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
  if (batch > 1)
    text += fmt::format("{:.2f} samples/s with {} in a frame\n",
                        throughput * static_cast<double>(batch), batch);
  text += "\n" + steps_text(model, plan, steps, console.out());
  if (std::any_of(all.begin(), all.end(), [](const SampleSummary& one) { return one.noisy(); }))
    text += "! CV above 0.15: something else ran beside; compare p50, or measure again\n";
  console.show(json, text);
}

// Runs the frames that count: --samples of them, or as many as fit in --duration.
class Measurement {
 public:
  Measurement(const Arguments& arguments, model_run::ModelRunner& runner)
      : arguments_(arguments),
        runner_(runner),
        warm_(static_cast<size_t>(arguments.integer("--warm"))),
        count_(static_cast<size_t>(arguments.integer("--samples"))) {
    if (arguments.find("--duration"))
      seconds_ = static_cast<size_t>(arguments.integer("--duration"));
  }

  Result<std::vector<Frame>> run(Answer& answer, Console& console) {
    ProgressLine progress(console, "bench " + runner_.model().name);
    for (size_t i = 0; i < warm_; ++i) {
      progress.advance(i, warm_, "warm-up");
      OPKIT_CHECK(run_frame(runner_, arguments_, answer));
    }
    start_ = std::chrono::steady_clock::now();
    std::vector<Frame> frames;
    while (goes_on(frames.size())) {
      if (seconds_ == 0)
        progress.advance(frames.size(), count_, "frames");
      else
        progress.advance(static_cast<size_t>(seconds_since(start_)), seconds_, "seconds");
      OPKIT_TRY(Frame frame, run_frame(runner_, arguments_, answer));
      frames.push_back(std::move(frame));
    }
    return frames;
  }

 private:
  bool goes_on(size_t frames) const {
    if (seconds_ == 0) return frames < count_;
    const bool in_time = seconds_since(start_) < static_cast<double>(seconds_);
    return frames == 0 || (in_time && frames < kMostFrames);
  }

  const Arguments& arguments_;
  model_run::ModelRunner& runner_;
  size_t warm_, count_;
  size_t seconds_ = 0;  // 0: --samples count
  std::chrono::steady_clock::time_point start_;
};

Outcome run_model_bench(const Arguments& arguments, Console& console) {
  OPKIT_TRY(model::OfflineModel model, model::load(arguments.get("model")));
  const registry::Registry registry = open_registry(arguments, console);
  const InstalledOps ops = open_ops(registry, model.soc, arguments, console);
  OPKIT_TRY(model_run::ModelRunner runner,
            model_run::ModelRunner::load(std::move(model), ops,
                                         static_cast<unsigned>(arguments.integer("--threads"))));
  Answer answer;
  OPKIT_TRY(const std::vector<Frame> frames, Measurement(arguments, runner).run(answer, console));
  const auto top = static_cast<size_t>(arguments.integer("--top"));
  std::vector<std::vector<uint64_t>> steps;
  for (const Frame& frame : frames) steps.push_back(frame.steps);
  show(runner, summaries(frames), longest_steps(steps, top), answer, runs_where(arguments),
       console);
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
  all.push_back({.name = "--duration",
                 .value = "SECONDS",
                 .help = "count the frames of so many seconds, in place of --samples",
                 .integer = true,
                 .least = 1,
                 .most = 86400});
  all.push_back({.name = "--top",
                 .value = "K",
                 .help = "the steps that take longest on this machine",
                 .integer = true,
                 .least = 1,
                 .most = 100000,
                 .preset = "10"});
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) all.push_back(std::move(flag));
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
          "element of them once, T_idle is the rest. Mean, least, median, 95th and 99th "
          "percentile,\n"
          "most, and the coefficient of variation, marked when it is above 0.15; then the steps\n"
          "that took longest. Samples per second count the batch, where every input and output\n"
          "has the same leading dim. T_idle has what copies tensors\n"
          "to the plugins' workers and back; --in-process does without. `opkit model profile`\n"
          "models the chip's time.",
      .positionals = {{.name = "model",
                       .help = "a file that atc wrote",
                       .complete = Complete::kFile}},
      .flags = model_bench_flags(),
      .examples = {{"opkit model bench resnet50.om --json", "3 warm-ups, 50 frames"},
                   {"opkit model bench net.om --duration 10 --top 3", "ten seconds of frames"},
                   {"opkit model bench net.om --input x=cat.npy --samples 200 --threads 1",
                    "on a file, on one CPU"}},
      .run = run_model_bench};
}

}  // namespace opkit::cli
