#include "opkit/rewrite/match/complete.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "opkit/rewrite/match/meaning.h"

namespace opkit::match {
namespace {

using graph::ValueInfo;

class Completion {
 public:
  Completion(const GraphIndex& index, const Pattern& pattern, const MatchState& state)
      : index_(index), pattern_(pattern), contract_(*pattern.contract), state_(state) {
    match_.contract = &contract_;
    match_.spelling = pattern.spelling;
    match_.nodes = state.node_of;
    std::sort(match_.nodes.begin(), match_.nodes.end());
    match_.attrs = state.attrs;
    for (const auto& [name, value] : pattern.decided) match_.attrs.emplace(name, value);
  }

  std::optional<Refusal> run(std::vector<Match>& matches) {
    if (auto refusal = take_inputs()) return refusal;
    take_outputs();
    if (auto refusal = check_uses()) return refusal;
    if (auto refusal = check_between()) return refusal;
    return try_columns(matches);
  }

 private:
  const ValueInfo& value(const std::string& name) const { return index_.graph().values.at(name); }
  bool inside(size_t node) const {
    return std::binary_search(match_.nodes.begin(), match_.nodes.end(), node);
  }

  std::optional<Refusal> take_inputs() {
    for (const Port& port : contract_.inputs) {
      std::vector<std::string>& values = match_.inputs.emplace_back();
      if (pattern_.absent.count(port.name) > 0) continue;
      const auto found = state_.values.find(port.name);
      if (found != state_.values.end()) values = found->second;
      if (found == state_.values.end() && port.presence == Presence::kRequired)
        return Refusal{Guard::kOperands,
                       fmt::format("nothing in the graph says what {} is", port.name)};
      for (const std::string& name : values) {
        if (inside(index_.definition(name)))
          return Refusal{
              Guard::kSameValue,
              fmt::format("input {} would be '{}', which the op itself computes", port.name, name)};
      }
    }
    return std::nullopt;
  }

  void take_outputs() {
    for (const Port& port : contract_.outputs) {
      std::vector<std::string>& values = match_.outputs.emplace_back();
      const auto found = state_.values.find(pattern_.outputs.at(port.name));
      if (found != state_.values.end()) values = found->second;
      stored_.insert(values.begin(), values.end());
    }
  }

  // A value that the op keeps to itself is read by its own nodes alone.
  std::optional<Refusal> check_uses() const {
    for (const size_t n : match_.nodes) {
      for (const std::string& name : index_.graph().nodes[n].outputs) {
        if (name.empty() || stored_.count(name) > 0) continue;
        if (index_.is_output(name))
          return Refusal{
              Guard::kSingleUse,
              fmt::format("'{}' is an output of the model, and the op does not store it", name)};
        for (const size_t reader : index_.readers(name)) {
          if (inside(reader)) continue;
          return Refusal{Guard::kSingleUse,
                         fmt::format("'{}' is also read by {}, and the op does not store it", name,
                                     index_.graph().nodes[reader].op_type)};
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Refusal> check_between() const {
    const size_t count = index_.graph().nodes.size();
    if (match_.nodes.size() < 2) return std::nullopt;
    const size_t node = index_.between(match_.nodes);
    if (node == count) return std::nullopt;
    return Refusal{Guard::kBetween,
                   fmt::format("{} reads a result of the op and gives one of its operands",
                               index_.graph().nodes[node].op_type)};
  }

  std::optional<Refusal> try_columns(std::vector<Match>& matches) {
    std::optional<Refusal> first;
    bool any = false;
    for (size_t column = 0; column < contract_.column_count(); ++column) {
      if (!has_dtypes(column)) continue;
      match_.column = column;
      auto refusal = try_column(column);
      if (!refusal) matches.push_back(match_);
      any = any || !refusal;
      if (refusal && !first) first = std::move(refusal);
    }
    if (any) return std::nullopt;
    return first ? first : Refusal{Guard::kDType, dtypes_text()};
  }

  bool has_dtypes(size_t column) const {
    for (size_t p = 0; p < contract_.inputs.size(); ++p) {
      for (const std::string& name : match_.inputs[p]) {
        if (value(name).dtype != contract_.inputs[p].dtypes[column]) return false;
      }
    }
    return true;
  }

  std::string dtypes_text() const {
    std::string text;
    for (size_t p = 0; p < contract_.inputs.size(); ++p) {
      for (const std::string& name : match_.inputs[p])
        text += fmt::format("{}{} is {}", text.empty() ? "" : ", ", contract_.inputs[p].name,
                            name_of(value(name).dtype));
    }
    return text + ": no column of the op has that";
  }

  std::optional<Refusal> try_column(size_t column) {
    std::vector<PortFacts> facts;
    for (size_t p = 0; p < contract_.inputs.size(); ++p) {
      facts.emplace_back();
      for (const std::string& name : match_.inputs[p]) {
        if (auto refusal = add_facts(p, column, name, facts.back())) return refusal;
      }
    }
    const auto binding = bind_facts(contract_, facts, match_.attrs);
    if (!binding.ok()) return refusal_of(binding.error());
    return check_meaning(index_, match_, *binding);
  }

  std::optional<Refusal> add_facts(size_t p, size_t column, const std::string& name,
                                   PortFacts& facts) const {
    const Port& port = contract_.inputs[p];
    const ValueInfo& known = value(name);
    if (!known.shape)
      return Refusal{Guard::kShape, fmt::format("the shape of '{}' is not known", name)};
    TensorFacts fact;
    fact.desc = {port.name, known.dtype, *known.shape, port.formats[column]};
    if (port.value_depend) {
      if (!known.constant)
        return Refusal{Guard::kConstant,
                       fmt::format("input {} must be a constant, '{}' is none", port.name, name)};
      fact.values.emplace();
      for (const double v : known.constant->values) fact.values->push_back(static_cast<int64_t>(v));
    }
    facts.push_back(std::move(fact));
    return std::nullopt;
  }

  static Refusal refusal_of(const Error& error) {
    std::string text = error.message;
    if (!error.constraint.empty()) return {Guard::kWhere, error.constraint + ": " + text};
    const bool attr = error.is(Cause::kAttribute);
    return {attr ? Guard::kAttribute : Guard::kShape, std::move(text)};
  }

  const GraphIndex& index_;
  const Pattern& pattern_;
  const OpContract& contract_;
  const MatchState& state_;
  Match match_;
  std::set<std::string> stored_;
};

}  // namespace

std::optional<Refusal> complete(const GraphIndex& index, const Pattern& pattern,
                                const MatchState& state, std::vector<Match>& matches) {
  return Completion(index, pattern, state).run(matches);
}

}  // namespace opkit::match
