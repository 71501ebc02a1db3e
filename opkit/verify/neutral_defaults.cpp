#include "opkit/verify/neutral_defaults.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "opkit/oracle/evaluate_bounded.h"
#include "opkit/reference/evaluate.h"
#include "opkit/verify/problem/attr_values.h"
#include "opkit/verify/problem_inputs.h"

namespace opkit::verify {
namespace {

using reference::RefTensor;

constexpr int64_t kSmallCall = 512;  // elements
constexpr size_t kMostSets = 3;

bool same(const RefTensor& a, const RefTensor& b) {
  return a.shape == b.shape && a.values.size() == b.values.size() &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

// Runs a lowered reference, and notes which of its steps change what they are given.
class Steps {
 public:
  Steps(const OpContract& contract, const Problem& problem)
      : contract_(contract), problem_(problem) {}

  // Names the steps that change a result; nothing when the reference cannot be evaluated.
  std::optional<std::set<std::string>> that_change() {
    const auto inputs = make_inputs(contract_, problem_);
    if (!inputs.ok()) return std::nullopt;
    const auto lowered = oracle::lowered_call(
        {&contract_, &*inputs, problem_.attrs, problem_.symbols, problem_.column});
    if (!lowered.ok() || !take_inputs(*inputs)) return std::nullopt;
    std::set<std::string> changing;
    for (const graph::Node& node : lowered->graph.nodes) {
      auto outputs = evaluated(node, lowered->graph);
      if (!outputs) return std::nullopt;
      if (changes(node, outputs->front())) changing.insert(node.name);
      for (size_t i = 0; i < node.outputs.size() && i < outputs->size(); ++i)
        values_[node.outputs[i]] = std::move((*outputs)[i]);
    }
    return changing;
  }

 private:
  bool take_inputs(const Ports& inputs) {
    for (size_t p = 0; p < inputs.size(); ++p) {
      for (size_t i = 0; i < inputs[p].size(); ++i) {
        auto value = reference::from_tensor(inputs[p][i]);
        if (!value.ok()) return false;
        values_[tensor_name(contract_.inputs[p], i)] = std::move(value).value();
      }
    }
    return true;
  }

  std::optional<std::vector<RefTensor>> evaluated(const graph::Node& node,
                                                  const graph::Graph& graph) const {
    std::vector<const RefTensor*> operands;
    for (const std::string& name : node.inputs) {
      const auto found = values_.find(name);
      operands.push_back(found != values_.end() ? &found->second : graph.constant(name));
      if (!name.empty() && operands.back() == nullptr) return std::nullopt;
    }
    auto outputs = reference::evaluate_node(node, operands, graph.opset);
    if (!outputs.ok() || outputs->empty()) return std::nullopt;
    return std::move(outputs).value();
  }

  // What an input or another step gave is not what comes out.
  bool changes(const graph::Node& node, const RefTensor& output) const {
    return std::none_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& name) {
      const auto found = values_.find(name);
      return found != values_.end() && same(found->second, output);
    });
  }

  const OpContract& contract_;
  const Problem& problem_;
  std::map<std::string, RefTensor> values_;
};

class Search {
 public:
  Search(const Domain& domain, const AttrValues& usual, Draws& draws)
      : domain_(domain), small_(domain.contract(), kSmallCall), usual_(usual), draws_(draws) {}

  std::vector<AttrValues> run() {
    std::map<std::string, std::vector<AttrValue>> telling;
    const auto plain = steps_with(usual_);
    if (!plain) return {};
    for (const Attr& attr : domain_.contract().attrs) {
      if (!attr.default_value || usual_.at(attr.name) != *attr.default_value) continue;
      std::vector<AttrValue> values = values_that_change(attr, *plain);
      if (!values.empty()) telling[attr.name] = std::move(values);
    }
    std::vector<AttrValues> sets;
    for (size_t k = 0; k < kMostSets && !telling.empty(); ++k) {
      AttrValues attrs = usual_;
      for (const auto& [name, values] : telling) replace(attrs, name, values[k % values.size()]);
      if (attrs != usual_ && std::find(sets.begin(), sets.end(), attrs) == sets.end())
        sets.push_back(std::move(attrs));
    }
    return sets;
  }

 private:
  // On one call as far as it is legal; the largest of some, because a step on few elements is
  // easily idle.
  std::optional<std::set<std::string>> steps_with(const AttrValues& attrs) {
    for (int tries = 0; tries < 4 && !small_.accepts(call_, attrs); ++tries) draw(attrs);
    if (!small_.accepts(call_, attrs)) return std::nullopt;
    Problem problem;
    problem.symbols = call_;
    problem.attrs = attrs;
    return Steps(domain_.contract(), problem).that_change();
  }

  void draw(const AttrValues& attrs) {
    int64_t most = -1;
    for (int tries = 0; tries < 4; ++tries) {
      const auto symbols = small_.solve({}, {}, attrs, draws_);
      const int64_t elements = symbols ? small_.elements(*symbols, attrs).value_or(-1) : -1;
      if (elements <= most) continue;
      most = elements;
      call_ = *symbols;
    }
  }

  // Returns the values with which a step works that the default leaves out or idle; few binary
  // digits first, so that exact data stay exact.
  std::vector<AttrValue> values_that_change(const Attr& attr, const std::set<std::string>& plain) {
    std::vector<AttrValue> candidates;
    if (attr.type == AttrType::kFloat && attr.allowed.empty())
      candidates = {AttrValue(2.0), AttrValue(0.5), AttrValue(-0.75)};
    for (const AttrChoice& choice : attr_choices(attr)) {
      if (attr.type != AttrType::kFloat || !attr.allowed.empty())
        candidates.push_back(choice.value);
    }
    std::vector<AttrValue> values;
    for (const AttrValue& value : candidates) {
      if (values.size() == kMostSets || value == *attr.default_value || !attr.check(value).ok())
        continue;
      AttrValues attrs = usual_;
      attrs[attr.name] = value;
      if (!domain_.possible(attrs)) continue;
      const auto with = steps_with(attrs);
      if (with && !std::includes(plain.begin(), plain.end(), with->begin(), with->end()))
        values.push_back(value);
    }
    return values;
  }

  // Replaces an attribute's value, unless the constraints forbid it beside the others.
  void replace(AttrValues& attrs, const std::string& name, const AttrValue& value) {
    AttrValues changed = attrs;
    changed[name] = value;
    if (domain_.possible(changed) && domain_.solve({}, {}, changed, draws_))
      attrs = std::move(changed);
  }

  const Domain& domain_;
  Domain small_;
  const AttrValues& usual_;
  Draws& draws_;
  SymbolValues call_;
};

}  // namespace

std::vector<AttrValues> telling_attrs(const Domain& domain, const AttrValues& usual, Draws& draws) {
  if (!domain.contract().no_reference.empty() || domain.contract().attrs.empty()) return {};
  return Search(domain, usual, draws).run();
}

}  // namespace opkit::verify
