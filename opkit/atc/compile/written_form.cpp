#include "opkit/atc/compile/written_form.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::compile {

using graph::Graph;
using match::Found;
using match::Guard;
using match::Match;
using match::Refusal;

namespace {

std::set<std::string> names_in(const std::vector<std::vector<std::string>>& ports) {
  std::set<std::string> names;
  for (const auto& port : ports) names.insert(port.begin(), port.end());
  names.erase("");
  return names;
}

// Nodes that fit before an op's miss says something.
constexpr size_t kTelling = 3;

// Tells whether the covered graph holds this constant, or can take it in.
bool may_hold(const Graph& covered, const Graph& form, const std::string& name) {
  const auto known = covered.values.find(name);
  return known == covered.values.end() || known->second.constant == form.values.at(name).constant;
}

}  // namespace

Found WrittenForm::find(const OpContract& contract) const {
  if (graph().nodes.empty()) return {};
  const Found there = matcher_.find(contract);
  Found found;
  for (Match match : there.matches) {
    if (!is_news(match) || !has_its_inputs(match)) continue;
    Region region = region_of(match);
    if (region.refusal) {
      const std::set<std::string> outputs = names_in(match.outputs);
      const size_t node =
          outputs.empty() ? covered_.graph().nodes.size() : covered_.definition(*outputs.begin());
      if (node < covered_.graph().nodes.size() && match.nodes.size() >= kTelling)
        found.near_misses.push_back({&contract, node, match.nodes.size(), *region.refusal});
      continue;
    }
    match.nodes = std::move(region.nodes);
    found.matches.push_back(std::move(match));
  }
  for (match::NearMiss miss : there.near_misses) {
    // Another op may be what its nodes are: constraints say more than operators do.
    if (miss.matched < kTelling || miss.refusal.guard == Guard::kOperator) continue;
    miss.node = place_of(miss.node);
    if (miss.node < covered_.graph().nodes.size()) found.near_misses.push_back(std::move(miss));
  }
  return found;
}

// Tells whether the covered graph says one of the nodes otherwise.
bool WrittenForm::is_news(const Match& match) const {
  const Graph& covered = covered_.graph();
  return std::any_of(match.nodes.begin(), match.nodes.end(), [&](size_t n) {
    const graph::Node& node = graph().nodes[n];
    const size_t known = covered_.definition(node.outputs[0]);
    return known == covered.nodes.size() || covered.nodes[known].op_type != node.op_type ||
           covered.nodes[known].inputs != node.inputs;
  });
}

bool WrittenForm::has_its_inputs(const Match& match) const {
  const std::set<std::string> given = names_in(match.inputs);
  return std::all_of(given.begin(), given.end(), [&](const std::string& name) {
    return graph().constant(name) != nullptr || covered_.is_input(name) ||
           covered_.definition(name) < covered_.graph().nodes.size();
  });
}

// The node of the covered graph that defines what this one, or one behind it, does.
size_t WrittenForm::place_of(size_t node) const {
  const size_t none = covered_.graph().nodes.size();
  for (size_t steps = 0; steps < graph().nodes.size(); ++steps) {
    const std::string& result = graph().nodes[node].outputs[0];
    const size_t place = covered_.definition(result);
    if (place < none) return place;
    const auto& readers = matcher_.readers(result);
    if (readers.empty()) return none;
    node = readers.front();
  }
  return none;
}

// Adds the nodes that compute the value from what is given. False: from something else, too.
bool WrittenForm::grow(const std::string& value, const std::set<std::string>& given,
                       std::set<size_t>& nodes) const {
  const Graph& covered = covered_.graph();
  std::vector<std::string> open = {value};
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    if (name.empty() || given.count(name) > 0 || covered.constant(name) != nullptr) continue;
    const size_t node = covered_.definition(name);
    if (node == covered.nodes.size()) return false;
    if (!nodes.insert(node).second) continue;
    open.insert(open.end(), covered.nodes[node].inputs.begin(), covered.nodes[node].inputs.end());
  }
  return true;
}

WrittenForm::Region WrittenForm::region_of(const Match& match) const {
  Region region;
  std::set<size_t> nodes;
  const std::set<std::string> given = names_in(match.inputs);
  for (const std::string& name : given) {
    if (graph().constant(name) != nullptr && !may_hold(covered_.graph(), graph(), name))
      region.refusal = {Guard::kConstant, fmt::format("another value is called '{}'", name)};
  }
  for (const std::string& name : names_in(match.outputs)) {
    if (!grow(name, given, nodes))
      region.refusal = {Guard::kOperands,
                        fmt::format("'{}' is computed from more than the op reads", name)};
  }
  region.nodes.assign(nodes.begin(), nodes.end());
  if (region.nodes.empty() && !region.refusal)
    region.refusal = {Guard::kOperator, "nothing of the model computes it"};
  if (!region.refusal) region.refusal = check(match, region.nodes);
  return region;
}

std::optional<Refusal> WrittenForm::check(const Match& match,
                                          const std::vector<size_t>& nodes) const {
  const Graph& covered = covered_.graph();
  const std::set<std::string> stored = names_in(match.outputs);
  const auto inside = [&](size_t node) {
    return std::binary_search(nodes.begin(), nodes.end(), node);
  };
  for (const size_t n : nodes) {
    for (const std::string& name : covered.nodes[n].outputs) {
      if (name.empty() || stored.count(name) > 0) continue;
      if (covered_.is_output(name))
        return Refusal{
            Guard::kSingleUse,
            fmt::format("'{}' is an output of the model, and the op does not store it", name)};
      for (const size_t reader : covered_.readers(name)) {
        if (inside(reader)) continue;
        return Refusal{Guard::kSingleUse,
                       fmt::format("'{}' is also read by {}, and the op does not store it", name,
                                   covered.nodes[reader].op_type)};
      }
    }
  }
  const size_t between = covered_.between(nodes);
  if (between == covered.nodes.size()) return std::nullopt;
  return Refusal{Guard::kBetween, fmt::format("{} reads a result of the op and gives one of its "
                                              "operands",
                                              covered.nodes[between].op_type)};
}

}  // namespace opkit::compile
