#include "opkit/cli/models/layer_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "opkit/atc/compile/compile.h"
#include "opkit/atc/compile/costs.h"
#include "opkit/base/counted.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/graph/node_name.h"
#include "opkit/rewrite/onnx/import.h"
#include "registry/probe.h"

namespace opkit::cli {
namespace {

using quantize::Int8Model;
using quantize::Kind;
using quantize::kNever;
using quantize::Walk;

std::set<std::string> step_parts(const std::string& step) {
  std::set<std::string> names;
  for (size_t from = 0; from <= step.size();) {
    const size_t end = std::min(step.find('+', from), step.size());
    names.insert(step.substr(from, end - from));
    from = end + 1;
  }
  return names;
}

bool converts(const std::string& op) {
  return op == "Quantize" || op == "QuantizeLinear" || op == "DequantizeLinear" || op == "Cast" ||
         op == "Dequantize" || op == "AscendQuant" || op == "AscendDequant";
}

// Gives the time of each step to the layers that it holds.
class StepSorter {
 public:
  StepSorter(const Walk& walk, const Int8Model& quantization) {
    for (const quantize::QuantizedLayer& one : quantization.layers) {
      const graph::Node& node = walk.graph().nodes[one.layer.node];
      names_.push_back({one.layer.name, graph::name_of(node), node.outputs[0], one.layer.result});
    }
  }

  TimedModel run(const compile::Compiled& compiled) const {
    TimedModel timed;
    timed.layers.assign(names_.size(), 0);
    timed.takers.resize(names_.size());
    const model::OfflineModel& model = compiled.model();
    for (const model::Step& step : model.steps) add(model, step, timed);
    timed.total = static_cast<double>(compiled.nanoseconds());
    // Leaves out layers that no step names: they were computed away, or joined under another name.
    return timed;
  }

 private:
  void add(const model::OfflineModel& model, const model::Step& step, TimedModel& timed) const {
    const bool host = step.kind == model::StepKind::kHost;
    const std::string op = model::asks_plugin(step.kind) ? model.plugins[step.plugin].op
                           : host                        ? step.node.op_type
                                                         : std::string(model::name_of(step.kind));
    timed.host_steps += host;
    const std::set<std::string> parts = step_parts(step.name);
    std::vector<size_t> held;
    for (size_t i = 0; i < names_.size(); ++i) {
      if (std::any_of(names_[i].begin(), names_[i].end(),
                      [&](const std::string& name) { return parts.count(name) > 0; }))
        held.push_back(i);
    }
    if (held.empty() && converts(op)) {
      timed.conversions += static_cast<double>(step.nanoseconds);
      ++timed.conversion_steps;
    }
    for (const size_t i : held) {
      timed.layers[i] +=
          host ? kNever : static_cast<double>(step.nanoseconds) / static_cast<double>(held.size());
      timed.takers[i] += (timed.takers[i].empty() ? "" : "+") + op;
    }
  }

  std::vector<std::set<std::string>> names_;
};

class ChipTimes {
 public:
  ChipTimes(const Walk& walk, const Arguments& arguments, Console& console)
      : walk_(walk), arguments_(arguments), console_(console) {}

  Status open() {
    OPKIT_TRY(options_.candidates.soc, checked_soc(arguments_.get("--soc"), console_));
    options_.cost_cache = registry::default_cache_dir() / "costs";
    registry_.emplace(open_registry(arguments_, console_));
    ops_.emplace(open_ops(*registry_, options_.candidates.soc, arguments_, console_));
    return {};
  }

  Result<compile::Compiled> compiled(const std::string& bytes, compile::PrecisionMode precision,
                                     const std::set<std::string>& in_single) {
    std::map<std::string, Shape> shapes;
    for (const std::string& input : walk_.graph().inputs) {
      const graph::ValueInfo& value = walk_.graph().values.at(input);
      if (value.shape) shapes[input] = *value.shape;
    }
    OPKIT_TRY(graph::Graph graph, onnx_frontend::import_model(bytes, {.input_shapes = shapes}));
    compile::Options options = options_;
    options.precision.mode = precision;
    options.precision.keep_nodes = in_single;
    return compile::compile(std::move(graph), *ops_, options);
  }

  TimedModel timed(const std::string& bytes, compile::PrecisionMode precision,
                   const StepSorter& sorter) {
    auto made = compiled(bytes, precision, {});
    if (made.ok()) return sorter.run(*made);
    TimedModel none;
    none.refused = made.error().code + ": " + made.error().message;
    return none;
  }

  // Returns what a conversion of each layer's data takes: through memory and back, and a launch.
  Result<std::vector<double>> turns(const Int8Model& quantization) const {
    OPKIT_TRY(const compile::Costs costs,
              compile::Costs::of(options_.candidates.soc, options_.cost_cache));
    std::vector<double> all;
    for (const quantize::QuantizedLayer& one : quantization.layers) {
      const auto value = walk_.graph().values.find(one.layer.data);
      const bool known = value != walk_.graph().values.end() && value->second.shape;
      const int64_t elements = known ? value->second.shape->elements() : 0;
      // A stored tensor of as many elements in the format whose turning has a price.
      const auto layout = StorageLayout::of(Format::kNC1HWC0, DType::kFloat16,
                                            Shape{1, 16, 1, (elements + 15) / 16});
      all.push_back(layout.ok() ? static_cast<double>(costs.turn(*layout)) : 0);
    }
    return all;
  }

  const std::string& soc() const { return options_.candidates.soc; }

 private:
  const Walk& walk_;
  const Arguments& arguments_;
  Console& console_;
  compile::Options options_;
  std::optional<registry::Registry> registry_;
  std::optional<InstalledOps> ops_;
};

// The first five of some layers, and how many there are.
struct NameList {
  size_t count = 0;
  std::string names;

  void add(const std::string& one) {
    if (++count <= 5) names += (names.empty() ? "" : ", ") + one;
  }
  std::string text(const char* what) const {
    return fmt::format("{} {}: {}{}", counted(count, "layer"), what, names,
                       count > 5 ? " ..." : "");
  }
};

}  // namespace

Result<LayerTimes> layer_times(const std::string& plain, const std::string& int8, const Walk& walk,
                               const Int8Model& quantization, const Arguments& arguments,
                               Console& console) {
  ChipTimes chip(walk, arguments, console);
  OPKIT_CHECK(chip.open());
  const StepSorter sorter(walk, quantization);
  LayerTimes times;
  times.soc = chip.soc();
  using compile::PrecisionMode;
  times.models[static_cast<size_t>(Kind::kSingle)] =
      chip.timed(plain, PrecisionMode::kOrigin, sorter);
  times.models[static_cast<size_t>(Kind::kHalf)] = chip.timed(plain, PrecisionMode::kHalf, sorter);
  times.models[static_cast<size_t>(Kind::kInt8)] = chip.timed(int8, PrecisionMode::kHalf, sorter);
  OPKIT_TRY(times.turns, chip.turns(quantization));
  return times;
}

Result<double> whole_time(const std::string& bytes, const Walk& walk,
                          const std::set<std::string>& in_single, const Arguments& arguments,
                          Console& console) {
  ChipTimes chip(walk, arguments, console);
  OPKIT_CHECK(chip.open());
  auto made = chip.compiled(bytes, compile::PrecisionMode::kHalf, in_single);
  if (!made.ok()) return kNever;
  return static_cast<double>(made->nanoseconds());
}

std::vector<std::string> advice(const LayerTimes& times, const Int8Model& quantization) {
  const TimedModel& int8 = times.models[static_cast<size_t>(Kind::kInt8)];
  const TimedModel& half = times.models[static_cast<size_t>(Kind::kHalf)];
  std::vector<std::string> lines;
  if (!int8.refused.empty()) return {"the int8 model cannot be compiled: " + int8.refused};
  if (!half.refused.empty() || int8.total < 0.9 * half.total) return lines;
  lines.push_back(fmt::format(
      "int8 takes {:.1f} us on {}, float16 {:.1f} us: it is not worth its loss of accuracy here",
      int8.total / 1e3, times.soc, half.total / 1e3));
  if (int8.conversion_steps > 0)
    lines.push_back(fmt::format("{} between int8 and floats take {:.1f} us",
                                counted(int8.conversion_steps, "conversion"),
                                int8.conversions / 1e3));
  if (int8.host_steps > 0)
    lines.push_back(fmt::format("{} run on the host", counted(int8.host_steps, "node")));
  const auto name = [&](size_t i) { return quantization.layers[i].layer.name; };
  NameList without, slower;
  for (size_t i = 0; i < quantization.layers.size(); ++i) {
    const std::string& taker = int8.takers[i];
    if (taker.find("Quant") == std::string::npos && taker.find("Integer") == std::string::npos)
      without.add(fmt::format("{} ({})", name(i), taker.empty() ? "none" : taker));
    if (int8.layers[i] >= half.layers[i])
      slower.add(fmt::format("{} ({:.1f} us, {:.1f} us)", name(i), int8.layers[i] / 1e3,
                             half.layers[i] / 1e3));
  }
  if (without.count > 0) lines.push_back(without.text("got no int8 kernel of this chip"));
  if (slower.count > 0) lines.push_back(slower.text("not faster in int8"));
  return lines;
}

}  // namespace opkit::cli
