#include "opkit/rewrite/passes/readers.h"

namespace opkit::passes {

Readers::Readers(const graph::Graph& graph)
    : outputs_(graph.outputs.begin(), graph.outputs.end()), count_(graph.nodes.size()) {
  for (size_t n = 0; n < count_; ++n) {
    for (const std::string& output : graph.nodes[n].outputs) {
      if (!output.empty()) definitions_[output] = n;
    }
    for (const std::string& input : graph.nodes[n].inputs) {
      if (input.empty()) continue;
      std::vector<size_t>& readers = readers_[input];
      if (readers.empty() || readers.back() != n) readers.push_back(n);
    }
  }
}

const std::vector<size_t>& Readers::of(const std::string& value) const {
  static const std::vector<size_t> kNone;
  const auto found = readers_.find(value);
  return found == readers_.end() ? kNone : found->second;
}

size_t Readers::definition(const std::string& value) const {
  const auto found = definitions_.find(value);
  return found == definitions_.end() ? count_ : found->second;
}

}  // namespace opkit::passes
