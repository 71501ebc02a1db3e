// Evaluates nodes whose operands are constants; a result that is much larger than its operands
// stays a node, and so does a DequantizeLinear (steps.h).
#include "opkit/rewrite/passes/compute_constants.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/steps.h"

namespace opkit::passes {
namespace {

constexpr int64_t kSmall = 1 << 16;  // elements that may always be stored

bool is_worth_storing(const graph::Graph& graph, const graph::Node& node) {
  if (dequantizes_constant(graph, node)) return false;
  int64_t before = kSmall, after = 0;
  for (const std::string& input : node.inputs) {
    const graph::RefTensor* constant = input.empty() ? nullptr : graph.constant(input);
    if (constant) before += constant->elements();  // a Shape knows its operand's dims alone
  }
  for (const std::string& output : node.outputs) {
    const Shape* shape = output.empty() ? nullptr : shape_of(graph, output);
    if (shape == nullptr && !output.empty()) return false;
    if (shape != nullptr) after += shape->elements();
  }
  return after <= before;
}

}  // namespace

Result<size_t> fold_constants(graph::Graph& graph) {
  return compute_constants(graph, is_worth_storing);
}

}  // namespace opkit::passes
