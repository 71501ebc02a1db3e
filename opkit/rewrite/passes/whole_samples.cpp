#include "opkit/rewrite/passes/whole_samples.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "opkit/reference/evaluate.h"
#include "opkit/reference/tensor.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

namespace {

constexpr size_t kMostFollowing = 24;  // nodes

bool is_elementwise(const std::string& op) {
  static const std::set<std::string> kOps = {
      "Add",  "Sub",         "Mul",        "Div", "Pow",  "Neg",      "Abs",
      "Exp",  "Log",         "Sqrt",       "Erf", "Tanh", "Sigmoid",  "Relu",
      "Clip", "HardSigmoid", "Reciprocal", "Min", "Max",  "Softplus", "Silu"};
  return kOps.count(op) > 0;
}

// Holds operators without bounds: what they compute at some rows tells what they compute at all.
bool is_arithmetic(const std::string& op) {
  static const std::set<std::string> kOps = {"Add", "Sub", "Mul",  "Div",
                                             "Pow", "Neg", "Sqrt", "Reciprocal"};
  return kOps.count(op) > 0;
}

// Returns the number that a constant stands for: one of those below where it is the nearest that
// the type has, else itself.
double meant(DType dtype, double constant) {
  using std::numbers::inv_pi, std::numbers::pi, std::numbers::sqrt2;
  constexpr double kBend = 0.044715;
  static const double kSlope = std::sqrt(2 * inv_pi);
  static const std::vector<double> kNumbers = {
      sqrt2,          1 / sqrt2,          kSlope, 2 * kSlope, std::sqrt(pi / 2),
      kBend * kSlope, 2 * kBend * kSlope, kBend,  1.0 / 6};
  for (const double number : kNumbers) {
    if (reference::rounded_to(dtype, number) == std::abs(constant))
      return std::copysign(number, constant);
  }
  return constant;
}

// The mean of the last axis, kept as a dim.
bool is_row_mean(const Node& node, size_t rank) {
  if (node.op_type != "ReduceMean" || node.inputs.size() != 1) return false;
  const auto axes = node.attributes.find("axes");
  if (axes == node.attributes.end() || number_of(node, "keepdims", 1) != 1) return false;
  const auto* list = std::get_if<std::vector<int64_t>>(&axes->second);
  return list != nullptr && *list == std::vector<int64_t>{static_cast<int64_t>(rank) - 1};
}

}  // namespace

Consequences::Consequences(const Graph& graph, const Readers& readers, const std::string& from,
                           RefTensor samples)
    : graph_(graph), shape_(*shape_of(graph, from)), rows_(samples.shape.rank() == 2) {
  samples_[from] = std::move(samples);
  std::set<size_t> open(readers.of(from).begin(), readers.of(from).end());
  while (!open.empty() && order_.size() < kMostFollowing) {
    const size_t n = *open.begin();
    open.erase(open.begin());
    const size_t before = order_.size();
    compute(n);
    if (order_.size() == before) continue;
    const std::vector<size_t>& more = readers.of(order_.back());
    open.insert(more.begin(), more.end());
  }
}

// The node as it is computed on samples. False: it is none that is.
bool Consequences::fits(const Node& node, Node& sampled) const {
  if (node.outputs.size() != 1) return false;
  sampled = node;
  const Shape* result = shape_of(graph_, node.outputs[0]);
  if (result == nullptr) return false;
  Shape reduced = shape_;
  if (rows_) reduced.dims().back() = 1;
  if (rows_ && is_row_mean(node, shape_.rank())) {
    sampled.attributes["axes"] = std::vector<int64_t>{1};
    return true;
  }
  if (rows_) return is_arithmetic(node.op_type) && (*result == shape_ || *result == reduced);
  return is_elementwise(node.op_type) && *result == shape_;
}

std::optional<RefTensor> Consequences::operand(const std::string& value) {
  const auto known = samples_.find(value);
  if (known != samples_.end()) return known->second;
  const RefTensor* constant = graph_.constant(value);
  if (constant == nullptr) return std::nullopt;
  if (constant->elements() == 1) {
    numbers_.push_back((*constant)[0]);
    return RefTensor{DType::kFloat32, Shape{}, {meant(constant->dtype, (*constant)[0])}};
  }
  const int64_t columns = shape_.rank() == 0 ? 0 : shape_[shape_.rank() - 1];
  const size_t rank = constant->shape.rank();
  const bool list =
      rows_ && rank > 0 && constant->elements() == columns && constant->shape[rank - 1] == columns;
  if (!list) return std::nullopt;
  if (std::find(lists_.begin(), lists_.end(), value) == lists_.end()) lists_.push_back(value);
  return RefTensor{DType::kFloat32, Shape{columns}, constant->values};
}

void Consequences::compute(size_t n) {
  const Node& node = graph_.nodes[n];
  Node sampled;
  if (!fits(node, sampled)) return;
  std::vector<RefTensor> operands;
  for (const std::string& input : node.inputs) {
    std::optional<RefTensor> known = input.empty() ? RefTensor{} : operand(input);
    if (!known) return;
    operands.push_back(std::move(*known));
  }
  std::vector<const RefTensor*> pointers;
  for (size_t i = 0; i < operands.size(); ++i)
    pointers.push_back(node.inputs[i].empty() ? nullptr : &operands[i]);
  auto results = reference::evaluate_node(sampled, pointers, graph_.opset);
  if (!results.ok() || results->size() != 1) return;
  if (samples_.emplace(node.outputs[0], std::move(results->front())).second)
    order_.push_back(node.outputs[0]);
}

}  // namespace opkit::passes
