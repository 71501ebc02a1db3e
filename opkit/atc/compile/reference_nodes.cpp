#include "opkit/atc/compile/reference_nodes.h"

#include <fmt/format.h>

#include <map>

#include "opkit/call/infer/binding.h"
#include "opkit/contract/lower.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;

Error cannot_say(std::string why) {
  return Error("", std::move(why), "use the operators of its reference");
}

class Adder {
 public:
  Adder(const ReferenceNodes& call, Graph& graph) : call_(call), graph_(graph) {}

  Status run() {
    OPKIT_TRY(const std::vector<PortFacts> facts, facts_of_inputs());
    OPKIT_TRY(const Binding binding, bind_facts(call_.contract, facts, call_.attrs));
    ReferenceCall reference{values(), binding.attrs, binding.scope, binding.column};
    OPKIT_TRY(const LoweredReference lowered, lower_reference(call_.contract, reference));
    if (!lowered.stored.empty()) return cannot_say("its reference rounds results on the way");
    OPKIT_CHECK(check_results(lowered));
    name_inputs();
    add(lowered);
    return {};
  }

 private:
  std::vector<std::vector<graph::ValueInfo>> values() const {
    std::vector<std::vector<graph::ValueInfo>> all;
    for (const std::vector<std::string>& port : call_.inputs) {
      all.emplace_back();
      for (const std::string& name : port) all.back().push_back(graph_.values.at(name));
    }
    return all;
  }

  Result<std::vector<PortFacts>> facts_of_inputs() const {
    std::vector<PortFacts> all;
    for (size_t p = 0; p < call_.inputs.size(); ++p) {
      const Port& port = call_.contract.inputs[p];
      all.emplace_back();
      for (const std::string& name : call_.inputs[p]) {
        const graph::ValueInfo& value = graph_.values.at(name);
        if (!value.shape) return cannot_say(fmt::format("the dims of '{}' are not known", name));
        TensorFacts facts{
            {port.name, value.dtype, *value.shape, port.formats[call_.column]}, {}, {}};
        if (port.value_depend && value.constant)
          facts.values.emplace(value.constant->values.begin(), value.constant->values.end());
        all.back().push_back(std::move(facts));
      }
    }
    return all;
  }

  // Every result that somebody wants is one that the reference gives.
  Status check_results(const LoweredReference& lowered) const {
    for (size_t p = 0; p < call_.outputs.size(); ++p) {
      if (call_.outputs[p].size() != lowered.outputs[p].size())
        return cannot_say("it has outputs that are absent or several tensors");
    }
    return {};
  }

  void name_inputs() {
    for (size_t p = 0; p < call_.inputs.size(); ++p) {
      const Port& port = call_.contract.inputs[p];
      for (size_t i = 0; i < call_.inputs[p].size(); ++i)
        renamed_[tensor_name(port, i)] = call_.inputs[p][i];
    }
  }

  void add(const LoweredReference& lowered) {
    for (const auto& [name, value] : lowered.graph.values) {
      if (value.constant && renamed_.count(name) == 0)
        graph_.add_constant(here(name), *value.constant);
    }
    for (Node node : lowered.graph.nodes) {
      for (std::string& input : node.inputs) input = input.empty() ? input : here(input);
      for (std::string& output : node.outputs) output = output.empty() ? output : here(output);
      node.name = node.outputs[0];
      graph_.nodes.push_back(std::move(node));
    }
    for (size_t p = 0; p < call_.outputs.size(); ++p) {
      for (size_t i = 0; i < call_.outputs[p].size(); ++i)
        add_result(lowered.outputs[p][i], call_.outputs[p][i]);
    }
  }

  // A view of what the nodes computed, which costs nothing.
  void add_result(const std::string& from, const std::string& to) {
    if (!to.empty()) graph_.nodes.push_back({"Identity", {here(from)}, {to}, {}, to});
  }

  std::string here(const std::string& name) {
    const auto known = renamed_.find(name);
    if (known != renamed_.end()) return known->second;
    return renamed_[name] = passes::fresh_name(graph_, fmt::format("{}/{}", call_.name, name));
  }

  const ReferenceNodes& call_;
  Graph& graph_;
  std::map<std::string, std::string> renamed_;
};

}  // namespace

Status add_reference_nodes(const ReferenceNodes& call, Graph& graph) {
  return Adder(call, graph).run();
}

}  // namespace opkit::compile
