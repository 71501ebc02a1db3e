#include "opkit/fusion/analyze/fitness.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/fusion/analyze/reach.h"
#include "opkit/fusion/author/formula.h"
#include "opkit/fusion/author/region.h"
#include "opkit/reference/operators.h"

namespace opkit::analyze {
namespace {

using graph::Graph;
using graph::Node;

constexpr uint64_t kBuffers = 2;    // counts the buffers of every tensor that is copied
constexpr uint64_t kComputed = 4;   // bytes: formulas compute in float
constexpr uint64_t kInnerRows = 3;  // tensors in UB beside inputs and result, where nobody counted

bool is_product(const std::string& op) { return op == "MatMul" || op == "Gemm"; }

// One that the template conv computes: pictures, all channels in one group.
bool is_plain_conv(const Graph& graph, const Node& node) {
  if (node.op_type != "Conv" || node.inputs.size() < 2) return false;
  const auto& x = graph.values.at(node.inputs[0]).shape;
  const auto& w = graph.values.at(node.inputs[1]).shape;
  return x && w && x->rank() == 4 && w->rank() == 4 && (*x)[1] == (*w)[1];
}

// Returns the node that is neither element-wise nor row-wise; null: there is none.
const Node* whole_node(const Graph& graph, const Chain& chain) {
  for (const size_t n : chain.nodes) {
    if (reach_of(graph, graph.nodes[n]) == Reach::kWhole) return &graph.nodes[n];
  }
  return nullptr;
}

WritingEffort effort_of(const Graph& graph, const Chain& chain, bool written) {
  if (written) return WritingEffort::kWritten;
  const Node* whole = whole_node(graph, chain);
  if (whole != nullptr)
    return is_product(whole->op_type) || is_plain_conv(graph, *whole) ? WritingEffort::kProduct
                                                                      : WritingEffort::kOther;
  return reach_of(graph, chain.nodes) == Reach::kRow ? WritingEffort::kRows
                                                     : WritingEffort::kElementwise;
}

std::string template_of(const Graph& graph, const Chain& chain, WritingEffort effort) {
  switch (effort) {
    case WritingEffort::kWritten:
    case WritingEffort::kElementwise: return "elementwise";
    case WritingEffort::kRows: return "reduction";
    case WritingEffort::kProduct:
      return is_product(whole_node(graph, chain)->op_type) ? "matmul" : "conv";
    case WritingEffort::kOther: return "";
  }
  return "";
}

FitnessCheck results_check(const NodeTraffic& traffic) {
  if (traffic.written.size() == 1) return {true, "one result"};
  return {false, fmt::format("{} values leave it: {}", traffic.written.size(),
                             fmt::join(traffic.written, ", "))};
}

FitnessCheck types_check(const Graph& graph, const NodeTraffic& traffic) {
  std::set<std::string> others;
  std::vector<std::string> values = traffic.read;
  values.insert(values.end(), traffic.written.begin(), traffic.written.end());
  for (const std::string& value : values) {
    const DType dtype = graph.values.at(value).dtype;
    if (dtype != DType::kFloat16 && dtype != DType::kFloat32 && dtype != DType::kBFloat16)
      others.insert(std::string(opkit::name_of(dtype)));
  }
  if (others.empty()) return {true, "floating tensors only"};
  return {false, fmt::format("tensors of {}", fmt::join(others, ", "))};
}

FitnessCheck oracle_check(const Graph& graph, const Chain& chain) {
  std::set<std::string> unknown;
  for (const size_t n : chain.nodes) {
    const reference::Operator* op = reference::find_operator(graph.nodes[n].op_type);
    if (op == nullptr || op->bound.rule == reference::BoundRule::kNone)
      unknown.insert(graph.nodes[n].op_type);
  }
  if (unknown.empty()) return {true, "the tests derive their tolerance"};
  return {false, fmt::format("no error bound is known for {}: its tests need a stated tolerance",
                             fmt::join(unknown, ", "))};
}

uint64_t ub_bytes_per_element(const Graph& graph, const NodeTraffic& traffic, uint64_t inner) {
  uint64_t bytes = inner * kComputed;
  std::vector<std::string> copied = traffic.written;
  for (const std::string& value : traffic.read) {
    const graph::RefTensor* constant = graph.constant(value);
    if (constant == nullptr || constant->elements() > 1) copied.push_back(value);
  }
  for (const std::string& value : copied) {
    const uint64_t stored = opkit::bytes_of(graph.values.at(value).dtype, 1);
    bytes += kBuffers * stored + (stored < kComputed ? kComputed : 0);
  }
  return bytes;
}

// Element-wise kernels take tiles of any size; one that works on rows is simplest when a row fits.
FitnessCheck ub_check(const Graph& graph, const Chain& chain, uint64_t bytes_per_element,
                      uint64_t ub) {
  const uint64_t elements = ub / std::max<uint64_t>(bytes_per_element, 1);
  if (reach_of(graph, chain.nodes) != Reach::kRow)
    return {true, fmt::format("UB: {} bytes for an element, tiles of up to {} elements",
                              bytes_per_element, elements)};
  const Shape& shape = *graph.values.at(graph.nodes[chain.nodes[0]].inputs[0]).shape;
  const auto row = static_cast<uint64_t>(shape.dims().empty() ? 1 : shape.dims().back());
  return {row <= elements, fmt::format("UB: a row of {} elements takes {} of {} bytes{}", row,
                                       row * bytes_per_element, ub,
                                       row <= elements ? "" : ": rows must be cut in parts")};
}

FitnessCheck chip_check(const std::vector<std::string>& chips, const SocSpec& soc) {
  const bool there = std::count(chips.begin(), chips.end(), soc.short_name) > 0;
  if (there) return {true, fmt::format("{} has the calls of its formula", soc.name)};
  return {false, fmt::format("calls of its formula exist on {} only, not on {}",
                             fmt::join(chips, ", "), soc.name)};
}

FitnessCheck traffic_check(const Gain& gain) {
  return {gain.saved_traffic() >= 0.3,
          fmt::format("{:.0f} % less traffic at these nodes", 100 * gain.saved_traffic())};
}

}  // namespace

const char* name_of(WritingEffort effort) {
  switch (effort) {
    case WritingEffort::kWritten: return "none: opkit writes it";
    case WritingEffort::kElementwise: return "small: a formula";
    case WritingEffort::kRows: return "middle: formulas over rows";
    case WritingEffort::kProduct: return "middle: an epilogue";
    case WritingEffort::kOther: return "large: no template";
  }
  return "";
}

bool Fitness::green() const {
  return std::all_of(checks.begin(), checks.end(),
                     [](const FitnessCheck& check) { return check.green; });
}

Fitness fitness_of(const compile::Compiled& compiled, const Chain& chain, const Gains& gains,
                   const SocSpec& soc) {
  const Graph& graph = compiled.graph;
  const NodeTraffic traffic = gains.readers().traffic_of(chain.nodes);
  const auto region = author::region_of(graph, chain.nodes);
  const uint64_t inner = region.ok() ? author::formula_of(*region).slots : kInnerRows;
  Fitness fitness;
  const bool written = region.ok() && chip_check(author::chips_of(*region), soc).green;
  fitness.effort = effort_of(graph, chain, written);
  fitness.template_name = template_of(graph, chain, fitness.effort);
  fitness.bytes_per_element = ub_bytes_per_element(graph, traffic, inner);
  fitness.checks = {
      results_check(traffic), types_check(graph, traffic), oracle_check(graph, chain),
      ub_check(graph, chain, fitness.bytes_per_element, soc.memory.ub - soc.reserved_ub),
      traffic_check(gains.of(chain))};
  if (region.ok()) fitness.checks.push_back(chip_check(author::chips_of(*region), soc));
  return fitness;
}

}  // namespace opkit::analyze
