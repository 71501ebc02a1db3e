// Calibration: what a narrower type cannot hold.
#include <fmt/format.h>

#include <cmath>

#include "opkit/atc/compile/precision.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/tensor.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::RefTensor;

// Returns the finite value of largest magnitude that is infinite in the type; absent: none is.
std::optional<double> overflow_in(const RefTensor& tensor, DType to) {
  std::optional<double> largest;
  for (const double value : tensor.values) {
    if (!std::isfinite(value) || std::isfinite(reference::rounded_to(to, value))) continue;
    if (!largest || std::abs(value) > std::abs(*largest)) largest = value;
  }
  return largest;
}

Error warning(const Converted& node, const std::string& value, double number) {
  Error error(kOverflows,
              fmt::format("node '{}' computes in {}, which cannot hold {:.6g}, a value of '{}'",
                          node.node, name_of(node.to), number, value),
              node.as_written
                  ? "--precision_mode=force_fp32 computes in float32 what installed ops have in it"
                  : fmt::format("write a line {} into a file for --keep_dtype", node.node));
  error.severity = Severity::kWarning;
  return std::move(error).of(node.op_type);
}

// Returns every value that the nodes define, of those that are asked for.
Result<reference::NamedTensors> evaluate_values(const Graph& graph,
                                                const std::map<std::string, RefTensor>& inputs,
                                                const std::vector<Converted>& converted) {
  Graph watched = graph;
  std::set<std::string> wanted;
  for (const Converted& one : converted) wanted.insert(one.values.begin(), one.values.end());
  watched.outputs.assign(wanted.begin(), wanted.end());
  return reference::evaluate(watched, inputs);
}

}  // namespace

std::vector<Converted> written_in_16_bits(const Graph& graph) {
  std::vector<Converted> written;
  for (const graph::Node& node : graph.nodes) {
    Converted one{graph::name_of(node), node.op_type, DType::kUndefined, {}, true};
    for (const std::string& output : node.outputs) {
      const auto value = graph.values.find(output);
      if (value == graph.values.end()) continue;
      const DType dtype = value->second.dtype;
      if (dtype != DType::kFloat16 && dtype != DType::kBFloat16) continue;
      one.to = dtype;
      one.values.push_back(output);
    }
    if (!one.values.empty()) written.push_back(std::move(one));
  }
  return written;
}

Result<Errors> find_overflows(const Graph& before, const std::vector<Converted>& converted,
                              const std::map<std::string, RefTensor>& inputs) {
  reference::NamedTensors values;
  if (!inputs.empty()) {
    OPKIT_TRY(values, evaluate_values(before, inputs, converted));
  }
  Errors warnings;
  for (const Converted& node : converted) {
    for (const std::string& name : node.values) {
      const auto known = values.find(name);
      const RefTensor* tensor = known != values.end() ? &known->second : before.constant(name);
      const auto number = tensor ? overflow_in(*tensor, node.to) : std::nullopt;
      if (!number) continue;
      warnings.push_back(warning(node, name, *number));
      break;
    }
  }
  return warnings;
}

}  // namespace opkit::compile
