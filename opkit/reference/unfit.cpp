#include "opkit/reference/unfit.h"

#include <fmt/format.h>

#include <set>

#include "opkit/graph/node_name.h"
#include "opkit/reference/call.h"
#include "opkit/reference/opaque.h"

namespace opkit::reference {
namespace {

using graph::Graph;
using graph::ValueInfo;

constexpr const char* kWhy = "opkit:why";  // the text of the error
constexpr const char* kAction =
    "give the condition the value that takes the other branch, or compile the model for dims that "
    "fit this one (--input_shape)";

Result<Outputs> refuse(const OperatorCall& call) {
  const Attribute* why = call.attribute(kWhy);
  const auto* text = why == nullptr ? nullptr : std::get_if<std::string>(why);
  return Error(kUnfit, text == nullptr ? "a branch that does not fit the dims was taken" : *text,
               kAction)
      .of("If");
}

Result<std::vector<ValueInfo>> outputs_of(const Node& node, const std::string& attribute,
                                          const KnownOperands& operands, const InferBody& infer) {
  OPKIT_TRY(Graph body, bound_body(node, attribute, operands));
  return infer(body);
}

std::string other_branch(const std::string& attribute) {
  return attribute == "then_branch" ? "else_branch" : "then_branch";
}

}  // namespace

const Operator& unfit_operator() {
  static const Operator row = [] {
    Operator op = opaque_operator();
    op.name = kUnfitBranch;
    op.evaluate = refuse;
    return op;
  }();
  return row;
}

bool is_of_dims(const Error& error) { return error.is(Cause::kUnfitOperands); }

std::optional<Error> why_unfit(const Node& node, const std::string& attribute,
                               const KnownOperands& operands, const InferBody& infer) {
  if (node.op_type != "If") return std::nullopt;
  const auto own = outputs_of(node, attribute, operands, infer);
  if (own.ok() || !is_of_dims(own.error())) return std::nullopt;
  if (!outputs_of(node, other_branch(attribute), operands, infer).ok()) return std::nullopt;
  const Error& reason = own.error();
  Error error(kUnfit,
              fmt::format("the {} of If {} cannot run at these dims: {}{}{} ({})", attribute,
                          graph::name_of(node), reason.op, reason.op.empty() ? "" : ": ",
                          reason.message, reason.code),
              kAction);
  error.severity = Severity::kWarning;
  return std::move(error).of("If");
}

Result<Graph> refusing_body(const Node& node, const std::string& attribute, const Graph& branch,
                            const KnownOperands& operands, const InferBody& infer,
                            const Error& why) {
  OPKIT_TRY(const std::vector<ValueInfo> results,
            outputs_of(node, other_branch(attribute), operands, infer));
  Graph body;
  body.name = branch.name;
  body.opset = branch.opset;
  body.inputs = branch.inputs;
  for (const std::string& input : branch.inputs) body.values[input] = branch.values.at(input);
  Node refusal;
  refusal.op_type = kUnfitBranch;
  refusal.attributes[kWhy] = why.message;
  for (size_t o = 0; o < results.size(); ++o) {
    std::string name = fmt::format("unfit_{}", o);
    while (body.values.count(name) > 0) name += '_';
    body.values[name] = {results[o].dtype, results[o].shape, Format::kND, nullptr};
    refusal.outputs.push_back(name);
    body.outputs.push_back(std::move(name));
  }
  state_results(refusal, results);
  body.nodes.push_back(std::move(refusal));
  return body;
}

}  // namespace opkit::reference
