#include "opkit/fusion/compare/inputs_between.h"

#include <set>

#include "opkit/reference/evaluate.h"

namespace opkit::compare {

Result<Ports> inputs_between(const compile::Compiled& compiled, const compile::Candidate& candidate,
                             const std::map<std::string, Tensor>& inputs) {
  graph::Graph before = compiled.graph;
  std::set<std::string> read;
  for (const auto& port : candidate.match.inputs) read.insert(port.begin(), port.end());
  before.outputs.assign(read.begin(), read.end());
  reference::NamedTensors given;
  for (const auto& name : before.inputs) {
    OPKIT_TRY(given[name], reference::from_tensor(inputs.at(name)));
  }
  OPKIT_TRY(const reference::NamedTensors values, reference::evaluate(before, given));
  Ports ports;
  for (const auto& names : candidate.match.inputs) {
    ports.emplace_back();
    for (const std::string& name : names) {
      OPKIT_TRY(Tensor tensor, reference::to_tensor(values.at(name)));
      ports.back().push_back(std::move(tensor));
    }
  }
  return ports;
}

}  // namespace opkit::compare
