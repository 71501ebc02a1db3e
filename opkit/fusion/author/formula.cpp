#include "opkit/fusion/author/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/fusion/author/phrases.h"

namespace opkit::author {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

bool needs(const Calls& calls, const std::string& placeholder) {
  return std::any_of(calls.begin(), calls.end(), [&](const std::string& call) {
    return call.find(placeholder) != std::string::npos;
  });
}

class Writer {
 public:
  explicit Writer(const ElementwiseRegion& region) : region_(region) {
    for (size_t s = 0; s < region.steps.size(); ++s) {
      for (const StepOperand& operand : region.steps[s].operands) last_use_[operand.tensor] = s;
    }
    for (const RegionInput& input : region.inputs) places_[input.name] = input.name;
  }

  Formula run() {
    for (size_t s = 0; s < region_.steps.size(); ++s) write(s);
    return std::move(formula_);
  }

 private:
  void write(size_t s) {
    const RegionStep& step = region_.steps[s];
    const Calls calls = *calls_of(step);
    const bool last = s + 1 == region_.steps.size();
    const std::string result = last ? "y" : take(last_use_[step.result]);
    const std::string more = needs(calls, "{t}") ? take(s) : "";
    std::vector<std::string> read;
    for (const StepOperand& operand : step.operands) {
      if (!operand.tensor.empty()) read.push_back(places_[operand.tensor]);
    }
    for (std::string call : calls) {
      replace_all(call, "{d}", result);
      replace_all(call, "{t}", more);
      replace_all(call, "{a}", read[0]);
      if (read.size() > 1) replace_all(call, "{b}", read[1]);
      formula_.calls.push_back(call + ";");
    }
    places_[step.result] = result;
    leave(more);
    for (const StepOperand& operand : step.operands) {
      if (!operand.tensor.empty() && last_use_[operand.tensor] == s) leave(places_[operand.tensor]);
    }
  }

  // Memory for a value that is read last by step `until`.
  std::string take(size_t until) {
    const bool y_is_free = taken_.count("y") == 0 && until + 1 < region_.steps.size();
    if (y_is_free) return *taken_.insert("y").first;
    for (size_t slot = 0;; ++slot) {
      const std::string name = fmt::format("t{}", slot);
      if (taken_.count(name) > 0) continue;
      formula_.slots = std::max(formula_.slots, slot + 1);
      return *taken_.insert(name).first;
    }
  }
  void leave(const std::string& place) { taken_.erase(place); }

  const ElementwiseRegion& region_;
  Formula formula_;
  std::map<std::string, size_t> last_use_;     // step, by tensor
  std::map<std::string, std::string> places_;  // where a tensor's elements are
  std::set<std::string> taken_;
};

}  // namespace

Formula formula_of(const ElementwiseRegion& region) { return Writer(region).run(); }

std::vector<std::string> chips_of(const ElementwiseRegion& region) {
  const bool small =
      std::all_of(region.steps.begin(), region.steps.end(),
                  [](const RegionStep& step) { return small_chips_have(*calls_of(step)); });
  return small ? std::vector<std::string>{"Ascend310B", "Ascend910B"}
               : std::vector<std::string>{"Ascend910B"};
}

}  // namespace opkit::author
