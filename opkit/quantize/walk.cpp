#include "opkit/quantize/walk.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "opkit/graph/node_name.h"

namespace opkit::quantize {

using graph::Graph;
using graph::Node;
using graph::RefTensor;
using reference::NamedTensors;

Result<Walk> Walk::make(const Graph& graph) {
  Walk walk(graph);
  walk.varying_.insert(graph.inputs.begin(), graph.inputs.end());
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    for (const std::string& output : node.outputs) {
      if (!output.empty()) walk.maker_.emplace(output, n);
    }
    const bool varies =
        std::any_of(node.inputs.begin(), node.inputs.end(),
                    [&](const std::string& in) { return walk.varying_.count(in) > 0; });
    if (varies) {
      walk.varying_.insert(node.outputs.begin(), node.outputs.end());
      walk.varying_.erase("");
      continue;
    }
    OPKIT_TRY(auto outputs, walk.evaluate(node, {}, {}));
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!node.outputs[i].empty()) walk.computed_.emplace(node.outputs[i], std::move(outputs[i]));
    }
  }
  return walk;
}

const RefTensor* Walk::constant(const std::string& name) const {
  const auto found = computed_.find(name);
  return found != computed_.end() ? &found->second : graph_->constant(name);
}

const Node* Walk::maker(const std::string& value) const {
  const auto found = maker_.find(value);
  return found == maker_.end() ? nullptr : &graph_->nodes[found->second];
}

Result<std::vector<RefTensor>> Walk::evaluate(const Node& node, const NamedTensors& made,
                                              const NamedTensors& given) const {
  std::vector<const RefTensor*> operands;
  for (const std::string& name : node.inputs) {
    const RefTensor* operand = nullptr;
    if (const auto one = made.find(name); one != made.end()) operand = &one->second;
    if (const auto one = given.find(name); one != given.end()) operand = &one->second;
    operands.push_back(name.empty() || operand != nullptr ? operand : constant(name));
  }
  auto outputs = reference::evaluate_node(node, operands, graph_->opset);
  if (!outputs.ok()) return std::move(outputs).error().with("node " + graph::name_of(node));
  return outputs;
}

Status Walk::run(const NamedTensors& inputs, const Look& look) const {
  std::unordered_map<std::string, size_t> readers;
  for (const Node& node : graph_->nodes) {
    for (const std::string& input : node.inputs) ++readers[input];
  }
  for (const std::string& input : graph_->inputs) {
    const auto given = inputs.find(input);
    if (given != inputs.end()) OPKIT_CHECK(look(input, given->second));
  }
  NamedTensors made;
  for (const Node& node : graph_->nodes) {
    const bool varies =
        std::any_of(node.outputs.begin(), node.outputs.end(),
                    [&](const std::string& out) { return varying_.count(out) > 0; });
    if (!varies) continue;
    OPKIT_TRY(auto outputs, evaluate(node, made, inputs));
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::string& name = node.outputs[i];
      if (name.empty()) continue;
      OPKIT_CHECK(look(name, outputs[i]));
      if (readers.count(name) > 0) made.emplace(name, std::move(outputs[i]));
    }
    for (const std::string& input : node.inputs) {
      if (--readers[input] == 0) made.erase(input);
    }
  }
  return {};
}

std::vector<size_t> Walk::needed(const std::vector<std::string>& wanted,
                                 const std::function<bool(const std::string&)>& is_given) const {
  std::set<size_t> needed;
  std::vector<std::string> open = wanted;
  for (size_t next = 0; next < open.size(); ++next) {
    const std::string name = open[next];
    const auto found = maker_.find(name);
    if (found == maker_.end() || varying_.count(name) == 0) continue;
    if (next >= wanted.size() && is_given(name)) continue;
    if (!needed.insert(found->second).second) continue;
    const Node& node = graph_->nodes[found->second];
    open.insert(open.end(), node.inputs.begin(), node.inputs.end());
  }
  return {needed.begin(), needed.end()};
}

Result<NamedTensors> Walk::compute(const std::vector<std::string>& wanted,
                                   const NamedTensors& given) const {
  NamedTensors made;
  const auto is_given = [&](const std::string& name) { return given.count(name) > 0; };
  for (const size_t n : needed(wanted, is_given)) {
    const Node& node = graph_->nodes[n];
    OPKIT_TRY(auto outputs, evaluate(node, made, given));
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!node.outputs[i].empty()) made.emplace(node.outputs[i], std::move(outputs[i]));
    }
  }
  NamedTensors results;
  for (const std::string& name : wanted) {
    if (const auto one = made.find(name); one != made.end())
      results.emplace(name, one->second);
    else if (const auto input = given.find(name); input != given.end())
      results.emplace(name, input->second);
    else if (const RefTensor* known = constant(name))
      results.emplace(name, *known);
  }
  return results;
}

Status in_threads(size_t count, unsigned threads, const std::function<Status(size_t)>& work) {
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const size_t wanted = std::min(count, threads == 0 ? cores : size_t{threads});
  std::atomic<size_t> next{0};
  std::mutex lock;
  size_t failed = count;
  Status first;
  const auto serve = [&] {
    for (size_t i = next++; i < count; i = next++) {
      Status status = work(i);
      if (status.ok()) continue;
      const std::lock_guard guard(lock);
      next = count;
      if (i < failed) first = std::move(status);
      failed = std::min(failed, i);
      return;
    }
  };
  std::vector<std::thread> helpers;
  for (size_t t = 1; t < wanted; ++t) helpers.emplace_back(serve);
  serve();
  for (std::thread& helper : helpers) helper.join();
  return first;
}

}  // namespace opkit::quantize
