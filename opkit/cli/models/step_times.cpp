#include "opkit/cli/models/step_times.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/cli/terminal/table.h"
#include "opkit/cli/text/step_name.h"

namespace opkit::cli {
namespace {

std::string taker_of(const model::OfflineModel& model, const model::Step& step) {
  if (step.kind == model::StepKind::kHost) return "host " + step.node.op_type;
  if (step.kind == model::StepKind::kControl) return "control " + step.node.op_type;
  if (step.kind == model::StepKind::kKernel || step.kind == model::StepKind::kAicpu)
    return model.plugins[step.plugin].op;
  return std::string(model::name_of(step.kind));
}

}  // namespace

std::vector<StepTime> longest_steps(const std::vector<std::vector<uint64_t>>& frames, size_t top) {
  std::vector<StepTime> all;
  for (size_t s = 0; s < frames.front().size(); ++s) {
    std::vector<double> samples;
    for (const auto& frame : frames) samples.push_back(static_cast<double>(frame[s]) * 1e-9);
    all.push_back({s, measure::summary_of(std::move(samples))});
  }
  std::stable_sort(all.begin(), all.end(), [](const StepTime& a, const StepTime& b) {
    return a.seconds.p50 > b.seconds.p50;
  });
  if (all.size() > top) all.resize(top);
  return all;
}

std::string steps_text(const model::OfflineModel& model, const model::Plan& plan,
                       const std::vector<StepTime>& steps, const Palette& palette) {
  Table table({"step", "op", ">p50 ms", ">least", ">most"});
  const auto ms = [](double seconds) { return fmt::format("{:.4f}", seconds * 1e3); };
  for (const StepTime& one : steps) {
    const model::Step& step = plan.steps[one.step];
    table.add({short_step_name(step.name), taker_of(model, step), ms(one.seconds.p50),
               ms(one.seconds.least), ms(one.seconds.most)});
  }
  return table.to_string(palette);
}

Json steps_json(const model::OfflineModel& model, const model::Plan& plan,
                const std::vector<StepTime>& steps) {
  Json list = Json::array();
  for (const StepTime& one : steps) {
    const model::Step& step = plan.steps[one.step];
    list.push_back({{"name", step.name},
                    {"op", taker_of(model, step)},
                    {"p50_seconds", one.seconds.p50},
                    {"least_seconds", one.seconds.least},
                    {"most_seconds", one.seconds.most}});
  }
  return list;
}

}  // namespace opkit::cli
