#include "opkit/core/replay/loop_registers.h"

#include <algorithm>

namespace opkit::core {
namespace {

constexpr size_t kForever = ~size_t{0};

class LoopAssignment {
 public:
  LoopAssignment(const LoopBody& body, uint8_t first, uint8_t count)
      : body_(body), last_use_(body.values.size(), 0), wanted_(body.values.size(), 0) {
    registers_.of.assign(body.values.size(), LoopRegisters::kInPool);
    for (uint8_t i = count; i-- > 0;) free_.push_back(static_cast<uint8_t>(first + i));
    used_.assign(size_t{first} + count, false);
  }

  bool run() {
    for (const LaneStep& s : body_.at_row) {
      if (!give(s.to)) return false;
    }
    find_last_uses();
    for (size_t i = 0; i < body_.steps.size(); ++i) {
      if (!step(i)) return false;
    }
    give_constants();
    return true;
  }
  LoopRegisters take() { return std::move(registers_); }

 private:
  template <typename F>
  static void for_sources(const LaneStep& s, F&& f) {
    for (const ValueId v : {s.a, s.b, s.c, s.d}) {
      if (v != kNoValue) f(v);
    }
  }

  void find_last_uses() {
    for (size_t i = 0; i < body_.steps.size(); ++i) {
      const LaneStep& s = body_.steps[i];
      for_sources(s, [&](ValueId v) {
        last_use_[v] = i;
        ++wanted_[v];
      });
      // Operations whose first operand is no memory.
      if (s.a != kNoValue) wanted_[s.a] += 2;
      if (s.d != kNoValue) wanted_[s.d] += 2;
    }
    for (const LaneStep& s : body_.at_row) last_use_[s.to] = kForever;
  }

  bool step(size_t i) {
    const LaneStep& s = body_.steps[i];
    const bool in_place = s.op == LaneOp::kTiny && last_use_[s.a] == i && !is_constant(s.a);
    if (in_place) {
      registers_.of[s.to] = registers_.of[s.a];
    } else if (s.op == LaneOp::kTiny && !give(s.to)) {
      return false;
    }
    for_sources(s, [&](ValueId v) {
      if (!(in_place && v == s.a)) release(v, i);
    });
    if (s.to == kNoValue || s.op == LaneOp::kTiny) return true;
    if (!give(s.to)) return false;
    if (last_use_[s.to] <= i) free_.push_back(registers_.of[s.to]);  // nobody reads it
    return true;
  }

  bool is_constant(ValueId v) const { return body_.values[v].constant; }

  bool give(ValueId v) {
    if (free_.empty()) return false;
    registers_.of[v] = free_.back();
    used_[free_.back()] = true;
    free_.pop_back();
    return true;
  }

  // A value that an operation reads twice is released once.
  void release(ValueId v, size_t i) {
    if (is_constant(v) || last_use_[v] != i) return;
    last_use_[v] = kForever;
    free_.push_back(registers_.of[v]);
  }

  void give_constants() {
    std::vector<ValueId> constants;
    for (size_t v = 0; v < body_.values.size(); ++v) {
      if (body_.values[v].constant) constants.push_back(static_cast<ValueId>(v));
    }
    std::stable_sort(constants.begin(), constants.end(),
                     [&](ValueId x, ValueId y) { return wanted_[x] > wanted_[y]; });
    size_t next = 0;
    for (const uint8_t r : free_) {
      if (used_[r]) continue;
      if (next == constants.size()) return;
      registers_.of[constants[next++]] = r;
    }
  }

  const LoopBody& body_;
  LoopRegisters registers_;
  std::vector<size_t> last_use_;
  std::vector<uint32_t> wanted_;
  std::vector<uint8_t> free_;
  std::vector<bool> used_;
};

}  // namespace

std::optional<LoopRegisters> assign_registers(const LoopBody& body, uint8_t first, uint8_t count) {
  LoopAssignment assignment(body, first, count);
  if (!assignment.run()) return std::nullopt;
  return assignment.take();
}

}  // namespace opkit::core
