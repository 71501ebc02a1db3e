#include "opkit/fusion/feasible/traffic.h"

#include <algorithm>
#include <map>
#include <set>

#include "opkit/base/dtype.h"

namespace opkit::feasible {
namespace {

using graph::Graph;
using graph::Node;

bool picks(const Node& node) {
  static const std::set<std::string> kPick = {"Gather", "GatherElements", "GatherND", "Slice",
                                              "Split"};
  return kPick.count(node.op_type) > 0;
}

bool is_number(const Graph& graph, const std::string& value) {
  const graph::RefTensor* constant = graph.constant(value);
  return constant != nullptr && constant->elements() <= 1;
}

// Axes, shapes and pads: read by the host, not by the kernel.
bool is_steering(const Graph& graph, const Node& node, size_t operand) {
  const graph::RefTensor* constant = graph.constant(node.inputs[operand]);
  if (constant == nullptr || operand == 0) return false;
  static const std::set<std::string> kData = {
      "Gather", "GatherElements", "GatherND", "Where", "Add", "Mul", "MatMul", "Conv"};
  return constant->dtype == DType::kInt64 && kData.count(node.op_type) == 0;
}

class Counter {
 public:
  explicit Counter(const Subject& subject) : subject_(subject), graph_(subject.graph) {}

  TensorTotals run() {
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (!is_view(graph_.nodes[n])) add_separate(n);
    }
    add_fused();
    return std::move(traffic_);
  }

 private:
  uint64_t read_bytes(const Node& node, size_t operand) const {
    const uint64_t whole = bytes_of(subject_, memory_of(graph_, node.inputs[operand]));
    if (operand != 0 || !picks(node)) return whole;
    uint64_t given = 0;
    for (const std::string& output : node.outputs)
      if (!output.empty()) given += bytes_of(subject_, output);
    return std::min(whole, given);
  }

  // Tensors that the node reads, each once, with the bytes.
  std::map<std::string, uint64_t> reads_of(const Node& node) const {
    std::map<std::string, uint64_t> reads;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const std::string& input = node.inputs[i];
      if (input.empty() || is_number(graph_, input) || is_steering(graph_, node, i)) continue;
      uint64_t& bytes = reads[memory_of(graph_, input)];
      bytes = std::max(bytes, read_bytes(node, i));
    }
    return reads;
  }

  TensorAccess& access(const std::string& tensor) {
    for (TensorAccess& one : traffic_.tensors)
      if (one.tensor == tensor) return one;
    traffic_.tensors.push_back({});
    traffic_.tensors.back().tensor = tensor;
    return traffic_.tensors.back();
  }

  void add_separate(size_t n) {
    const Node& node = graph_.nodes[n];
    Kernel kernel{{n}, 0, 0};
    for (const auto& [tensor, bytes] : reads_of(node)) {
      access(tensor).separate_read += bytes;
      kernel.read += bytes;
      uint64_t& most = most_read_[tensor];
      most = std::max(most, bytes);
    }
    for (const std::string& output : node.outputs) {
      if (output.empty()) continue;
      const uint64_t bytes = bytes_of(subject_, output);
      access(output).separate_written += bytes;
      kernel.written += bytes;
      made_.insert(output);
    }
    traffic_.separate.push_back(std::move(kernel));
    traffic_.fused.nodes.push_back(n);
  }

  void add_fused() {
    for (TensorAccess& one : traffic_.tensors) {
      const auto read = most_read_.find(one.tensor);
      if (made_.count(one.tensor) == 0 && read != most_read_.end()) one.fused_read = read->second;
      traffic_.fused.read += one.fused_read;
    }
    std::set<std::string> written;
    for (const std::string& output : graph_.outputs) {
      const std::string tensor = memory_of(graph_, output);
      if (!written.insert(tensor).second || made_.count(tensor) == 0) continue;
      TensorAccess& one = access(tensor);
      one.fused_written = bytes_of(subject_, output);
      traffic_.fused.written += one.fused_written;
    }
  }

  const Subject& subject_;
  const Graph& graph_;
  TensorTotals traffic_;
  std::map<std::string, uint64_t> most_read_;
  std::set<std::string> made_;
};

}  // namespace

uint64_t TensorTotals::separate_bytes() const {
  uint64_t sum = 0;
  for (const Kernel& kernel : separate) sum += kernel.read + kernel.written;
  return sum;
}

double TensorTotals::saved() const {
  const auto before = static_cast<double>(separate_bytes());
  return before == 0 ? 0 : 1 - static_cast<double>(fused_bytes()) / before;
}

TensorTotals traffic_of(const Subject& subject) { return Counter(subject).run(); }

std::string memory_of(const Graph& graph, const std::string& value) {
  std::string at = value;
  for (size_t n = graph.nodes.size(); n-- > 0;) {
    const Node& node = graph.nodes[n];
    if (is_view(node) && !node.outputs.empty() && node.outputs[0] == at) at = node.inputs[0];
  }
  return at;
}

uint64_t bytes_of(const Subject& subject, const std::string& value) {
  const auto stored = subject.stored.find(value);
  if (stored != subject.stored.end()) return stored->second;
  const graph::ValueInfo& found = subject.graph.values.at(value);
  return opkit::bytes_of(found.dtype, static_cast<uint64_t>(found.shape->elements()));
}

}  // namespace opkit::feasible
