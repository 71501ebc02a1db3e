#include "opkit/rewrite/match/search.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/rewrite/match/commutative.h"
#include "opkit/rewrite/match/unify.h"

namespace opkit::match {
namespace {

using Kind = Operand::Kind;

class Search {
 public:
  Search(const GraphIndex& index, const Pattern& pattern,
         const std::function<std::optional<Refusal>(const MatchState&)>& take)
      : index_(index), pattern_(pattern), take_(take) {}

  std::optional<Attempt> run(size_t anchor, size_t node) {
    MatchState state;
    state.node_of.assign(pattern_.nodes.size(), none());
    try_node(state, anchor, node);
    if (found_) return std::nullopt;
    return best_;
  }

 private:
  size_t none() const { return index_.graph().nodes.size(); }
  bool open(const MatchState& state, size_t p) const { return state.node_of[p] == none(); }

  void note(const MatchState& state, Refusal refusal) {
    if (best_ && best_->matched >= state.matched) return;
    best_ = {state.matched, std::move(refusal)};
  }

  // The pattern node at the graph's node, with operands in every order that means the same.
  void try_node(const MatchState& state, size_t p, size_t node) {
    const bool used =
        std::find(state.node_of.begin(), state.node_of.end(), node) != state.node_of.end();
    if (used) return note(state, {Guard::kOperator, "one node would be two of the op"});
    const graph::Node& at = index_.graph().nodes[node];
    const bool both = is_commutative(at.op_type) && at.inputs.size() == 2;
    for (const bool exchanged : {false, true}) {
      if (found_ || (exchanged && !both)) return;
      MatchState next = state;
      if (auto refusal = unify(index_, pattern_, p, node, exchanged, next)) {
        note(state, std::move(*refusal));
      } else {
        extend(next);
      }
    }
  }

  void extend(const MatchState& state) {
    if (state.matched == pattern_.nodes.size()) return finish(state);
    for (size_t p = 0; p < pattern_.nodes.size(); ++p) {
      if (open(state, p) && is_defined(state, p)) return try_definition(state, p);
    }
    for (size_t p = 0; p < pattern_.nodes.size(); ++p) {
      if (open(state, p) && known_operand(state, p)) return try_readers(state, p);
    }
    const auto first = std::find(state.node_of.begin(), state.node_of.end(), none());
    const auto p = static_cast<size_t>(first - state.node_of.begin());
    try_each(state, p, index_.nodes_of(pattern_.nodes[p].op), "anywhere");
  }

  void finish(const MatchState& state) {
    if (auto refusal = take_(state)) {
      note(state, std::move(*refusal));
    } else {
      found_ = true;
    }
  }

  // Returns the value of a result of p, when it is known already.
  const std::string* result(const MatchState& state, size_t p) const {
    for (const std::string& name : pattern_.nodes[p].out) {
      const auto known = name.empty() ? state.values.end() : state.values.find(name);
      if (known != state.values.end() && !known->second.empty()) return &known->second[0];
    }
    return nullptr;
  }
  bool is_defined(const MatchState& state, size_t p) const { return result(state, p) != nullptr; }

  const std::string* known_operand(const MatchState& state, size_t p) const {
    const std::string* best = nullptr;
    for (const Operand& operand : pattern_.nodes[p].in) {
      const auto known =
          operand.kind == Kind::kTensor ? state.values.find(operand.name) : state.values.end();
      if (known == state.values.end() || known->second.empty()) continue;
      const std::string& value = known->second[0];
      if (!best || index_.readers(value).size() < index_.readers(*best).size()) best = &value;
    }
    return best;
  }

  void try_definition(const MatchState& state, size_t p) {
    const std::string& value = *result(state, p);
    const size_t node = index_.definition(value);
    if (node != none()) return try_node(state, p, node);
    note(state,
         {Guard::kOperator,
          fmt::format("'{}' is no result of {}: it is {}", value, pattern_.nodes[p].op,
                      index_.graph().constant(value) ? "a constant" : "an input of the model")});
  }

  void try_readers(const MatchState& state, size_t p) {
    const std::string& value = *known_operand(state, p);
    try_each(state, p, index_.readers(value), fmt::format("behind '{}'", value));
  }

  void try_each(const MatchState& state, size_t p, const std::vector<size_t>& nodes,
                const std::string& where) {
    const std::string& op = pattern_.nodes[p].op;
    bool any = false;
    for (const size_t node : nodes) {
      if (found_) return;
      if (index_.graph().nodes[node].op_type != op) continue;
      any = true;
      try_node(state, p, node);
    }
    if (any) return;
    const std::string instead =
        nodes.empty() ? "nothing" : index_.graph().nodes[nodes.front()].op_type;
    note(state, {Guard::kOperator,
                 fmt::format("{} stands {}, the op goes on with {}", instead, where, op)});
  }

  const GraphIndex& index_;
  const Pattern& pattern_;
  const std::function<std::optional<Refusal>(const MatchState&)>& take_;
  std::optional<Attempt> best_;
  bool found_ = false;
};

}  // namespace

std::optional<size_t> anchor_of(const GraphIndex& index, const Pattern& pattern) {
  std::optional<size_t> anchor;
  for (size_t p = 0; p < pattern.nodes.size(); ++p) {
    const size_t count = index.nodes_of(pattern.nodes[p].op).size();
    if (count == 0) return std::nullopt;
    if (!anchor || count < index.nodes_of(pattern.nodes[*anchor].op).size()) anchor = p;
  }
  return anchor;
}

std::optional<Attempt> search(
    const GraphIndex& index, const Pattern& pattern, size_t anchor, size_t node,
    const std::function<std::optional<Refusal>(const MatchState&)>& take) {
  return Search(index, pattern, take).run(anchor, node);
}

}  // namespace opkit::match
