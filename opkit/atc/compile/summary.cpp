#include <fmt/format.h>

#include <algorithm>

#include "opkit/atc/compile/control_bodies.h"
#include "opkit/atc/compile/costs.h"
#include "opkit/atc/compile/report.h"
#include "opkit/base/counted.h"
#include "opkit/base/json.h"
#include "opkit/graph/node_name.h"

namespace opkit::compile {
namespace {

using model::Step;
using model::StepKind;

struct Counts {
  size_t kernels = 0, fused = 0, views = 0, turns = 0, estimated = 0, assumed = 0;
  std::map<std::string, size_t> host;     // counts steps on the host by operator
  std::map<std::string, size_t> aicpu;    // counts kernels on the AICPU by op
  std::map<std::string, size_t> control;  // counts control steps by operator
};

Counts counts_of(const Compiled& compiled) {
  Counts counts;
  for (const size_t c : compiled.cover.chosen) {
    const Candidate& candidate = compiled.candidates.all[c];
    if (candidate.on_aicpu()) ++counts.aicpu[candidate.name()];
    counts.kernels += candidate.taker == Taker::kPlugin && !candidate.on_aicpu();
    counts.fused += candidate.is_fused();
    counts.views += candidate.taker == Taker::kView;
    counts.estimated += candidate.kind == CostKind::kEstimated;
    counts.assumed += candidate.kind == CostKind::kAssumed;
    if (candidate.taker == Taker::kHost)
      ++counts.host[compiled.graph.nodes[candidate.nodes[0]].op_type];
    if (candidate.taker == Taker::kControl)
      ++counts.control[compiled.graph.nodes[candidate.nodes[0]].op_type];
  }
  for (const Step& step : compiled.model().steps)
    counts.turns += step.kind == StepKind::kStore || step.kind == StepKind::kDense;
  return counts;
}

std::string counted(const std::string& what, const std::map<std::string, size_t>& ops) {
  if (ops.empty()) return "";
  std::string text = what;
  for (const auto& [op, count] : ops) text += fmt::format(" {} x {},", count, op);
  text.back() = '\n';
  return text;
}

std::string host_text(const Counts& counts) {
  const std::string control = counted("run by the host, body by body:", counts.control);
  if (counts.host.empty() && counts.aicpu.empty())
    return control + (control.empty() ? "every node is taken by a plugin\n"
                                      : "every other node is taken by a plugin\n");
  return control +
         counted("on the AICPU, by installed ops, because no AI Core plugin takes them (fallback):",
                 counts.aicpu) +
         counted("on the host, because no plugin takes them (fallback):", counts.host);
}

// Returns what --precision_mode came to.
std::string precision_text(const Compiled& compiled) {
  if (compiled.precision == PrecisionMode::kOrigin) return "";
  const PrecisionChanges& changes = compiled.changes;
  return fmt::format("precision: {} nodes compute in {}, as the mode asks\n",
                     changes.converted.size(), name_of(type_of(compiled.precision))) +
         counted("no installed op takes in that type:", changes.unserved);
}

Json precision_json(const Compiled& compiled) {
  if (compiled.precision == PrecisionMode::kOrigin) return nullptr;
  return {{"dtype", name_of(type_of(compiled.precision))},
          {"converted", compiled.changes.converted.size()},
          {"unserved", compiled.changes.unserved}};
}

std::string time_text(const Compiled& compiled, const Counts& counts) {
  std::string text = fmt::format(
      "modelled time of the kernels: {:.1f} us ({} launches modelled, {} from the cache{})\n",
      static_cast<double>(compiled.nanoseconds()) / 1e3, compiled.modelled, compiled.from_cache,
      counts.estimated > 0
          ? fmt::format("; {} kernels estimated from their first part", counts.estimated)
          : "");
  text += fmt::format("their tensors: {} bytes read and written in device memory\n",
                      compiled.traffic());
  if (counts.assumed > 0)
    text += fmt::format(
        "the time of {} cannot be modelled: a slow kernel is assumed (--explain says "
        "why)\n",
        opkit::counted(counts.assumed, "kernel"));
  if (!compiled.measured_chip)
    text += fmt::format("nothing was measured on {}: trust the choice, not the microseconds\n",
                        compiled.model().soc);
  return text;
}

std::string memory_text(const Compiled& compiled) {
  const model::OfflineModel& model = compiled.model();
  const double over =
      100.0 * (static_cast<double>(model.block_bytes) / static_cast<double>(model.block_bound) - 1);
  return fmt::format(
      "memory: {} bytes shared by all steps, the bound is {}{}; {} results lie where an operand "
      "lay; {} bytes of weights, {} in the file\n",
      model.block_bytes, model.block_bound,
      model.block_bytes == model.block_bound ? " (optimal)" : fmt::format(" ({:+.1f} %)", over),
      compiled.schedule.in_place, model.weight_bytes, model.weights.size());
}

// "the body of Loop y runs 16 times per frame"
std::string body_line(const Compiled& compiled, const CompiledBody& body) {
  const graph::Node& node = compiled.graph.nodes[body.node];
  if (body.unfit)
    return fmt::format("{} refuses to run: it does not fit these dims\n",
                       body_title(node, body.attribute));
  const std::string often =
      body.trips
          ? fmt::format("{} per frame", opkit::counted(static_cast<size_t>(*body.trips), "time"))
      : node.op_type == "If" ? "when data say so"
                             : "as often as data say (the times count one iteration)";
  return fmt::format("{} runs {}:\n", body_title(node, body.attribute), often);
}

std::string indented(const std::string& text) {
  std::string out;
  for (size_t from = 0; from < text.size();) {
    const size_t end = text.find('\n', from) + 1;
    out += "  " + text.substr(from, end - from);
    from = end;
  }
  return out;
}

}  // namespace

std::string summary_text(const Compiled& compiled) {
  const Counts counts = counts_of(compiled);
  const model::OfflineModel& model = compiled.model();
  std::string text = fmt::format("{} on {}: {} imported, {} in canonical form\n", model.name,
                                 model.soc, opkit::counted(compiled.before.nodes.size(), "node"),
                                 compiled.graph.nodes.size());
  text += fmt::format(
      "{}, {} of them for several nodes; {}; {} on the host\n",
      opkit::counted(counts.kernels, "kernel"), counts.fused, opkit::counted(counts.views, "view"),
      counts.turns == 1 ? "1 change of layout" : fmt::format("{} changes of layout", counts.turns));
  text += host_text(counts) + precision_text(compiled);
  text += fmt::format("cover: {} ({} candidates, {} components, the largest of {} nodes)\n",
                      model.cover, compiled.candidates.all.size(), compiled.cover.components,
                      compiled.cover.largest);
  if (compiled.open_formats > 0 && compiled.formats_are_joint)
    text +=
        fmt::format("formats of {} values chosen with the cover; that saves {:.1f} us of turning\n",
                    compiled.open_formats, static_cast<double>(compiled.saved_turns) / 1e3);
  text += time_text(compiled, counts) + memory_text(compiled);
  for (const CompiledBody& body : compiled.bodies) {
    text += body_line(compiled, body);
    if (!body.unfit) text += indented(summary_text(*body.compiled));
  }
  return text;
}

namespace {

// Returns what the cover takes nodes to cost that no AI core takes: no time is modelled for those.
uint64_t placeholders(const Compiled& compiled) {
  uint64_t sum = 0;
  for (const size_t c : compiled.cover.chosen) {
    const Candidate& one = compiled.candidates.all[c];
    if (one.taker == Taker::kHost) sum += kHostNanoseconds;
    if (one.on_aicpu()) sum += kAicpuNanoseconds * one.nodes.size();
  }
  return std::min(sum, compiled.cover.cost);
}

Json memory_json(const Compiled& compiled) {
  const model::OfflineModel& model = compiled.model();
  return {{"block", model.block_bytes},        {"bound", model.block_bound},
          {"by", compiled.schedule.memory.by}, {"in_place", compiled.schedule.in_place},
          {"weights", model.weight_bytes},     {"weights_in_file", model.weights.size()}};
}

Json bodies_json(const Compiled& compiled) {
  Json list = Json::array();
  for (const CompiledBody& body : compiled.bodies) {
    const graph::Node& node = compiled.graph.nodes[body.node];
    Json one = summary_json(*body.compiled);
    one["of"] = graph::name_of(node);
    one["op"] = node.op_type;
    one["body"] = body.attribute;
    one["trips"] = body.trips ? Json(*body.trips) : Json();
    if (body.unfit) one["unfit"] = true;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

Json summary_json(const Compiled& compiled) {
  const Counts counts = counts_of(compiled);
  const model::OfflineModel& model = compiled.model();
  const uint64_t unmodelled = placeholders(compiled);
  return {{"model", model.name},
          {"soc", model.soc},
          {"nodes_imported", compiled.before.nodes.size()},
          {"nodes", compiled.graph.nodes.size()},
          {"kernels", counts.kernels},
          {"fused_kernels", counts.fused},
          {"views", counts.views},
          {"layout_changes", counts.turns},
          {"host", counts.host},
          {"aicpu", counts.aicpu},
          {"control", counts.control},
          {"rewrites", compiled.rewrites},
          {"precision", precision_json(compiled)},
          {"cover",
           {{"statement", model.cover},
            {"optimal", compiled.cover.optimal()},
            {"cost_ns", compiled.cover.cost - unmodelled},
            {"bound_ns", compiled.cover.bound - std::min(unmodelled, compiled.cover.bound)},
            {"candidates", compiled.candidates.all.size()},
            {"components", compiled.cover.components},
            {"largest_component", compiled.cover.largest},
            {"open_formats", compiled.open_formats},
            {"formats_are_joint", compiled.formats_are_joint},
            {"saved_turns_ns", compiled.saved_turns},
            {"costs_modelled", compiled.modelled},
            {"costs_from_cache", compiled.from_cache},
            {"costs_below_bound", compiled.below_bound}}},
          {"kernel_ns", compiled.nanoseconds()},
          {"kernel_bytes", compiled.traffic()},
          {"kernels_not_exact", counts.estimated + counts.assumed},
          {"kernels_assumed", counts.assumed},
          {"chip_is_measured", compiled.measured_chip},
          {"bodies", bodies_json(compiled)},
          {"memory", memory_json(compiled)}};
}

}  // namespace opkit::compile
