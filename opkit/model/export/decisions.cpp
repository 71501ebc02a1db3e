#include "opkit/model/export/decisions.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/model/export/chains.h"
#include "opkit/model/export/emit.h"

namespace opkit::model_export {
namespace {

std::vector<std::string> parts_of(const std::string& nodes) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= nodes.size();) {
    const size_t end = std::min(nodes.find('+', at), nodes.size());
    parts.push_back(nodes.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// "eltwise_relu" is Relu, "binary_add" Add.
std::string short_name(const std::string& algorithm) {
  return algorithm.substr(algorithm.find('_') + 1);
}

std::string step_of(const ExportedProgram& program, const OperationChain& chain) {
  const std::string first = program.operations[chain.operations[0]].node.op_type;
  std::string text = chain.value.empty() ? lower(first) : "";
  if (!chain.bias.empty()) text += "+bias";
  for (const Follower& one : chain.followers)
    text += (text.empty() ? "" : "+") + short_name(one.what);
  return text;
}

bool is_step(const std::string& op) {
  for (const char* one : {"MaxPool", "AveragePool", "GlobalAveragePool", "Softmax",
                          "LayerNormalization", "Concat", "Transpose"}) {
    if (op == one) return true;
  }
  return false;
}

}  // namespace

std::vector<Decision> decisions_of(const ExportedProgram& program) {
  std::vector<Decision> decisions;
  for (const CoveredCall& call : program.calls) decisions.push_back({call.nodes, call.op, {}});
  const std::vector<OperationChain> chains = chains_of(program);
  std::map<size_t, const OperationChain*> chain_of;
  for (const OperationChain& chain : chains) {
    for (const size_t i : chain.operations) chain_of[i] = &chain;
  }
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    std::vector<std::string>& steps = decisions[operation.call].steps;
    const auto found = chain_of.find(i);
    std::string text;
    if (found == chain_of.end()) {
      const std::string& op = operation.node.op_type;
      if (is_same_elements(op)) continue;
      text = is_step(op) ? lower(op) : "loop of " + op;
    } else {
      const size_t first = found->second->operations[0];
      const size_t call = program.operations[first].call;
      if (call != operation.call)
        text = fmt::format("in the step of {}", parts_of(program.calls[call].nodes)[0]);
      else if (first == i)
        text = step_of(program, *found->second);
    }
    if (!text.empty() && (steps.empty() || steps.back() != text)) steps.push_back(text);
  }
  return decisions;
}

std::map<std::string, std::string> ops_by_node(const model::OfflineModel& model) {
  std::map<std::string, std::string> ops;
  for (const model::Step& step : model.steps) {
    const std::string op = model::asks_plugin(step.kind)         ? model.plugins[step.plugin].op
                           : step.kind == model::StepKind::kHost ? step.node.op_type + " (host)"
                                                                 : std::string();
    if (op.empty()) continue;
    for (const std::string& node : parts_of(step.name)) ops.emplace(node, op);
  }
  return ops;
}

Status check_beside(const std::vector<Decision>& decisions,
                    const std::map<std::string, std::string>& ops_by_node,
                    const std::string& file) {
  const bool shares = std::any_of(decisions.begin(), decisions.end(), [&](const Decision& one) {
    const std::vector<std::string> nodes = parts_of(one.nodes);
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](const std::string& node) { return ops_by_node.count(node) > 0; });
  });
  if (shares) return {};
  return Error("OPK-EXPORT-004",
               fmt::format("{} has none of the {} calls' nodes: it is another network", file,
                           decisions.size()),
               "name a model that atc made of the same file for another chip");
}

std::string ops_of(const std::map<std::string, std::string>& ops_by_node,
                   const std::string& nodes) {
  std::vector<std::string> all;
  for (const std::string& node : parts_of(nodes)) {
    const auto found = ops_by_node.find(node);
    if (found != ops_by_node.end() && std::find(all.begin(), all.end(), found->second) == all.end())
      all.push_back(found->second);
  }
  return all.empty() ? "-" : fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace opkit::model_export
