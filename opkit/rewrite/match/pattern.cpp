#include "opkit/rewrite/match/pattern.h"

#include <algorithm>
#include <optional>

#include "opkit/rewrite/match/conditions.h"

namespace opkit::match {
namespace {

using Kind = Operand::Kind;

constexpr size_t kMostChoices = 6;  // optional inputs and open conditions of one contract

// Which optional inputs are there, and which open conditions hold.
struct Choices {
  std::set<std::string> absent;
  std::map<const ReferenceNode*, bool> runs;
};

std::vector<std::string> optional_inputs(const OpContract& contract) {
  std::vector<std::string> names;
  for (const Port& port : contract.inputs) {
    if (port.presence == Presence::kOptional) names.push_back(port.name);
  }
  return names;
}

// Returns what present(x) and count(x) say; nothing else is known yet.
Scope counts_of(const OpContract& contract, const std::set<std::string>& absent) {
  Scope scope;
  for (const Port& port : contract.inputs) {
    if (port.presence == Presence::kDynamic) continue;
    scope.counts[port.name] = Range::of(absent.count(port.name) > 0 ? 0 : 1);
  }
  return scope;
}

// Absent: what decides the condition is not known before something is bound.
std::optional<bool> decided(const ReferenceNode& node, const Scope& scope) {
  if (!node.when) return true;
  const auto truth = node.when->evaluate(scope);
  if (!truth.ok() || !truth->is_known()) return std::nullopt;
  return truth->is_true();
}

const std::vector<ReferenceNode>& nodes_of(const OpContract& contract, const Spelling* spelling) {
  return spelling ? spelling->reference : contract.reference;
}

class Builder {
 public:
  Builder(const OpContract& contract, const Spelling* spelling, const Choices& choices)
      : contract_(contract), choices_(choices) {
    pattern_.contract = &contract;
    pattern_.spelling = spelling;
    pattern_.absent = choices.absent;
    if (spelling) pattern_.decided = spelling->attrs;
  }

  Pattern run() {
    for (const ReferenceNode& node : nodes_of(contract_, pattern_.spelling)) {
      choices_.runs.at(&node) ? keep(node) : skip(node);
    }
    for (const Port& port : contract_.outputs) pattern_.outputs[port.name] = renamed(port.name);
    return std::move(pattern_);
  }

 private:
  void skip(const ReferenceNode& node) {
    const std::string value = node.otherwise.empty() ? "" : renamed(node.otherwise);
    for (const std::string& name : node.out) instead_[name] = value;
  }

  void keep(const ReferenceNode& node) {
    ReferenceNode kept = node;
    for (Operand& operand : kept.in) {
      if (operand.kind != Kind::kTensor) continue;
      operand.name = renamed(operand.name);
      if (operand.name.empty() || choices_.absent.count(operand.name) > 0)
        operand.kind = Kind::kAbsent;
    }
    while (!kept.in.empty() && kept.in.back().kind == Kind::kAbsent) kept.in.pop_back();
    if (kept.op == "Identity" && kept.in.size() == 1) {
      instead_[kept.out[0]] = kept.in[0].name;
    } else {
      pattern_.nodes.push_back(std::move(kept));
    }
  }

  std::string renamed(const std::string& name) const {
    const auto found = instead_.find(name);
    return found == instead_.end() ? name : found->second;
  }

  const OpContract& contract_;
  const Choices& choices_;
  Pattern pattern_;
  std::map<std::string, std::string> instead_;
};

size_t readers(const Pattern& pattern, const std::string& name) {
  size_t count = 0;
  for (const ReferenceNode& node : pattern.nodes) {
    for (const Operand& operand : node.in)
      count += operand.kind == Kind::kTensor && operand.name == name;
  }
  for (const auto& [port, value] : pattern.outputs) count += value == name;
  return count;
}

// Zero padding of the spatial dims, by an attribute: [x, $pads, "" or 0, axes 2 and up].
bool pads_images(const ReferenceNode& pad) {
  if (pad.op != "Pad" || pad.in.size() != 4 || pad.attrs.count("mode") > 0) return false;
  const Operand &pads = pad.in[1], &value = pad.in[2], &axes = pad.in[3];
  const bool zero = value.kind == Kind::kAbsent ||
                    (value.kind == Kind::kConstant && value.constant == std::vector<double>{0});
  if (pads.kind != Kind::kAttr || !zero || axes.kind != Kind::kConstant) return false;
  for (size_t i = 0; i < axes.constant.size(); ++i) {
    if (axes.constant[i] != static_cast<double>(i + 2)) return false;
  }
  return true;
}

// As the canonical form of graphs has it: the Conv that alone reads a Pad has its pads.
void join_pads(Pattern& pattern) {
  for (size_t p = 0; p < pattern.nodes.size(); ++p) {
    const ReferenceNode pad = pattern.nodes[p];
    if (!pads_images(pad) || readers(pattern, pad.out[0]) != 1) continue;
    for (ReferenceNode& conv : pattern.nodes) {
      if (conv.op != "Conv" || conv.in[0].name != pad.out[0] || conv.attrs.count("pads") > 0)
        continue;
      conv.in[0] = pad.in[0];
      conv.attrs["pads"] = NodeAttr{std::nullopt, pad.in[1].name, pad.in[1].where};
      pattern.nodes.erase(pattern.nodes.begin() + static_cast<std::ptrdiff_t>(p--));
      break;
    }
  }
}

// The target's dims are judged when everything is bound.
void state_reshapes(Pattern& pattern) {
  for (ReferenceNode& node : pattern.nodes) {
    if (node.op != "Flatten" && node.op != "Squeeze" && node.op != "Unsqueeze") continue;
    node.op = "Reshape";
    node.attrs.clear();
    Operand target;
    target.kind = Kind::kShape;
    node.in = {node.in[0], target};
  }
}

// What the canonical form states of Split, Slice and Pad where a reference leaves it out or writes
// it otherwise: any constant, which is judged when everything is bound.
void state_operands(ReferenceNode& node, size_t count) {
  Operand constant;
  constant.kind = Kind::kShape;
  node.in.resize(std::max(node.in.size(), count), constant);
  for (size_t i = 1; i < node.in.size(); ++i) {
    if (node.in[i].kind != Kind::kAttr && node.in[i].kind != Kind::kTensor) node.in[i] = constant;
  }
}

void state_operands(Pattern& pattern) {
  for (ReferenceNode& node : pattern.nodes) {
    const auto mode = node.attrs.find("mode");
    const bool fills =
        mode == node.attrs.end() ||
        (mode->second.literal && *mode->second.literal == AttrValue(std::string("constant")));
    if (node.op == "Split") state_operands(node, 2);
    if (node.op == "Slice") state_operands(node, 5);
    if (node.op == "Pad" && node.in.size() < 4) state_operands(node, fills ? 3 : 2);
    if (node.op == "Split") node.attrs.erase("num_outputs");
  }
}

// CastLike is the Cast to a type that is judged when everything is bound.
void state_types(Pattern& pattern) {
  for (ReferenceNode& node : pattern.nodes) {
    if (node.op != "CastLike" || node.in.size() != 2) continue;
    node.op = "Cast";
    node.in.pop_back();
    node.attrs.clear();
  }
}

// Axes that are a constant operand are the attribute of older versions.
void state_axes(Pattern& pattern) {
  for (ReferenceNode& node : pattern.nodes) {
    if (!node.op.starts_with("Reduce") || node.in.size() != 2) continue;
    const Operand& axes = node.in[1];
    NodeAttr stated{std::nullopt, axes.name, axes.where};
    if (axes.kind == Kind::kConstant && !axes.constant.empty())
      stated.literal = std::vector<int64_t>(axes.constant.begin(), axes.constant.end());
    if (axes.kind != Kind::kAttr && !stated.literal) continue;
    node.attrs["axes"] = std::move(stated);
    node.in.pop_back();
  }
}

// The second power is a product.
void state_squares(Pattern& pattern) {
  for (ReferenceNode& node : pattern.nodes) {
    if (node.op != "Pow" || node.in.size() != 2 || node.in[1].kind != Kind::kConstant ||
        node.in[1].constant != std::vector<double>{2})
      continue;
    node.op = "Mul";
    node.in[1] = node.in[0];
  }
}

// Tells whether a graph that is given the same operands can only hold the results as constants.
bool is_constant(const ReferenceNode& node, const std::set<std::string>& constants) {
  const bool operands = std::all_of(node.in.begin(), node.in.end(), [&](const Operand& operand) {
    return operand.kind == Kind::kConstant || operand.kind == Kind::kShape ||
           (operand.kind == Kind::kTensor && constants.count(operand.name) > 0);
  });
  return operands && std::all_of(node.attrs.begin(), node.attrs.end(),
                                 [](const auto& attr) { return attr.second.literal.has_value(); });
}

std::set<std::string> constants_of(const Pattern& pattern) {
  std::set<std::string> constants;
  for (const ReferenceNode& node : pattern.nodes) {
    if (is_constant(node, constants)) constants.insert(node.out.begin(), node.out.end());
  }
  return constants;
}

// Returns what the graph computed before: any constants, which are judged when everything is bound.
std::optional<Pattern> without_constants(Pattern pattern) {
  const std::set<std::string> constants = constants_of(pattern);
  std::erase_if(pattern.nodes,
                [&](const ReferenceNode& node) { return constants.count(node.out[0]) > 0; });
  for (ReferenceNode& node : pattern.nodes) {
    for (Operand& operand : node.in) {
      if (operand.kind == Kind::kTensor && constants.count(operand.name) > 0)
        operand.kind = Kind::kShape;
    }
  }
  const bool stored =
      std::any_of(pattern.outputs.begin(), pattern.outputs.end(),
                  [&](const auto& output) { return constants.count(output.second) > 0; });
  if (constants.empty() || stored) return std::nullopt;
  return pattern;
}

void add(Pattern pattern, std::vector<Pattern>& patterns) {
  if (pattern.nodes.empty()) return;
  if (auto folded = without_constants(pattern)) patterns.push_back(std::move(*folded));
  patterns.push_back(std::move(pattern));
}

void add_forms(const OpContract& contract, const Spelling* spelling,
               const std::set<std::string>& absent, std::vector<Pattern>& patterns) {
  const Scope scope = counts_of(contract, absent);
  Choices choices{absent, {}};
  std::vector<Condition> open;
  for (const ReferenceNode& node : nodes_of(contract, spelling)) {
    const auto runs = decided(node, scope);
    if (!runs) open.emplace_back(&node, true);
    choices.runs[&node] = runs.value_or(true);
  }
  if (open.size() > kMostChoices) return;
  for (size_t bits = 0; bits < size_t{1} << open.size(); ++bits) {
    for (size_t i = 0; i < open.size(); ++i)
      choices.runs[open[i].first] = open[i].second = (bits >> i & 1) == 0;
    Pattern pattern = Builder(contract, spelling, choices).run();
    if (!decide_attributes(open, contract, pattern.decided)) continue;
    join_pads(pattern);
    state_reshapes(pattern);
    state_axes(pattern);
    state_types(pattern);
    state_squares(pattern);
    state_operands(pattern);
    add(std::move(pattern), patterns);
  }
}

}  // namespace

std::vector<Pattern> patterns_of(const OpContract& contract) {
  std::vector<Pattern> patterns;
  const std::vector<std::string> optional = optional_inputs(contract);
  if (optional.size() > kMostChoices) return patterns;
  std::vector<const Spelling*> spellings = {nullptr};
  for (const Spelling& spelling : contract.spellings) spellings.push_back(&spelling);
  for (const Spelling* spelling : spellings) {
    for (size_t bits = 0; bits < size_t{1} << optional.size(); ++bits) {
      std::set<std::string> absent;
      for (size_t i = 0; i < optional.size(); ++i) {
        if (bits >> i & 1) absent.insert(optional[i]);
      }
      add_forms(contract, spelling, absent, patterns);
    }
  }
  return patterns;
}

}  // namespace opkit::match
