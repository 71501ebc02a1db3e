// ge::Graph: operators from the inputs to the outputs of a model.
#ifndef OPKIT_INCLUDE_GRAPH_GRAPH_H_
#define OPKIT_INCLUDE_GRAPH_GRAPH_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/operator.h"

namespace opkit_graph {

struct GraphData {
  std::string name;
  std::vector<ge::Operator> inputs, added;
  std::vector<std::pair<ge::Operator, std::vector<size_t>>> outputs;  // and which of each
  std::vector<std::pair<ge::Operator, std::string>> named_outputs;    // instead of numbers
};

}  // namespace opkit_graph

namespace ge {

class Graph {
 public:
  explicit Graph(const char* name = "") : data_(std::make_shared<opkit_graph::GraphData>()) {
    data_->name = name != nullptr ? name : "";
  }
  explicit Graph(const AscendString& name) : Graph(name.GetString()) {}
  explicit Graph(const std::string& name) : Graph(name.c_str()) {}

  // Data operators, in the order of the model's inputs unless one of them has an attribute index.
  Graph& SetInputs(const std::vector<Operator>& inputs) {
    data_->inputs = inputs;
    return *this;
  }
  // The first output of each.
  Graph& SetOutputs(const std::vector<Operator>& outputs) {
    clear_outputs();
    for (const Operator& one : outputs) data_->outputs.emplace_back(one, std::vector<size_t>{0});
    return *this;
  }
  // These outputs of each; no numbers: the first one.
  Graph& SetOutputs(const std::vector<std::pair<Operator, std::vector<size_t>>>& outputs) {
    clear_outputs();
    for (const auto& [one, numbers] : outputs)
      data_->outputs.emplace_back(one, numbers.empty() ? std::vector<size_t>{0} : numbers);
    return *this;
  }
  Graph& SetOutputs(const std::vector<std::pair<Operator, AscendString>>& outputs) {
    clear_outputs();
    for (const auto& [one, name] : outputs)
      data_->named_outputs.emplace_back(one, name.GetString());
    return *this;
  }
  // Knows operators that outputs need without being told.
  graphStatus AddOp(const Operator& one) {
    if (one.IsEmpty()) return GRAPH_FAILED;
    data_->added.push_back(one);
    return GRAPH_SUCCESS;
  }

  graphStatus GetName(AscendString& name) const {
    return name = AscendString(data_->name.c_str()), GRAPH_SUCCESS;
  }
  std::string GetName() const { return data_->name; }
  bool IsValid() const {
    return !data_->inputs.empty() && !(data_->outputs.empty() && data_->named_outputs.empty());
  }

  // Gives opkit's front end what it reads.
  const opkit_graph::GraphData& opkit_data() const { return *data_; }

 private:
  void clear_outputs() {
    data_->outputs.clear();
    data_->named_outputs.clear();
  }

  std::shared_ptr<opkit_graph::GraphData> data_;
};

}  // namespace ge

#endif  // OPKIT_INCLUDE_GRAPH_GRAPH_H_
