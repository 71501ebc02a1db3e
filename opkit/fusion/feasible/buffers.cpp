#include "opkit/fusion/feasible/buffers.h"

#include <algorithm>
#include <map>
#include <set>

#include "opkit/base/dtype.h"

namespace opkit::feasible {
namespace {

using graph::Graph;
using graph::Node;

constexpr uint64_t kWideBytes = 4;

class Allocator {
 public:
  Allocator(const Subject& subject, const TensorTotals& traffic, size_t from)
      : graph_(subject.graph), traffic_(traffic), from_(from) {}

  std::vector<TileSlot> run() {
    find_last_readers();
    for (const TensorAccess& one : traffic_.tensors) copied(one);
    for (size_t n = from_; n < graph_.nodes.size(); ++n)
      if (!is_view(graph_.nodes[n])) place(n);
    return std::move(slots_);
  }

 private:
  uint64_t stored(const std::string& value) const {
    return opkit::bytes_of(graph_.values.at(value).dtype, 1);
  }
  int64_t elements(const std::string& value) const {
    const auto& shape = graph_.values.at(value).shape;
    return shape ? shape->elements() : 0;
  }

  void find_last_readers() {
    for (size_t n = from_; n < graph_.nodes.size(); ++n) {
      for (const std::string& input : graph_.nodes[n].inputs)
        if (!input.empty()) last_[memory_of(graph_, input)] = n;
    }
    for (const std::string& output : graph_.outputs) last_[memory_of(graph_, output)] = SIZE_MAX;
  }

  // Adds the buffer of a tensor that copies bring or take.
  void copied(const TensorAccess& one) {
    const bool read = one.fused_read > 0 && last_.count(one.tensor) > 0;
    if (!read && one.fused_written == 0) return;
    const uint64_t bytes = std::max<uint64_t>(stored(one.tensor), 1);
    slots_.push_back({one.tensor, bytes, 2, false, {}});
    if (bytes >= kWideBytes) return;
    wide_.insert(one.tensor);
    if (read) slots_.push_back({one.tensor + " as float", kWideBytes, 1, false, {}});
  }

  bool is_result(const std::string& value) const {
    return std::find(graph_.outputs.begin(), graph_.outputs.end(), value) != graph_.outputs.end();
  }

  // Returns a free slot of that kind, else a new one.
  size_t take(const std::string& value, bool per_row) {
    for (auto at = free_.begin(); at != free_.end(); ++at) {
      if (slots_[*at].per_row != per_row) continue;
      const size_t slot = *at;
      free_.erase(at);
      slots_[slot].reuses += (slots_[slot].reuses.empty() ? "" : ", ") + value;
      return slot;
    }
    slots_.push_back({value, kWideBytes, 1, per_row, {}});
    return slots_.size() - 1;
  }

  void place(size_t n) {
    const Node& node = graph_.nodes[n];
    for (const std::string& input : node.inputs) release(input, n);
    for (const std::string& output : node.outputs) {
      if (output.empty() || (is_result(output) && wide_.count(output) == 0)) continue;
      const bool per_row = elements(output) * 2 <= elements(node.inputs[0]);
      at_[output] = take(output, per_row);
      if (last_.count(output) == 0) free_.insert(at_[output]);
    }
  }

  // Frees what the node reads for the last time: its result may lie there.
  void release(const std::string& input, size_t n) {
    if (input.empty()) return;
    const std::string tensor = memory_of(graph_, input);
    const auto slot = at_.find(tensor);
    if (slot != at_.end() && last_[tensor] == n) free_.insert(slot->second);
  }

  const Graph& graph_;
  const TensorTotals& traffic_;
  size_t from_;
  std::vector<TileSlot> slots_;
  std::map<std::string, size_t> last_, at_;
  std::set<std::string> wide_;
  std::set<size_t> free_;
};

}  // namespace

std::vector<TileSlot> slots_of(const Subject& subject, const TensorTotals& traffic, size_t from) {
  return Allocator(subject, traffic, from).run();
}

}  // namespace opkit::feasible
