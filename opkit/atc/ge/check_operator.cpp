#include "opkit/atc/ge/check_operator.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/atc/ge/emitter.h"
#include "opkit/base/suggest.h"

namespace opkit::ge_frontend {
namespace {

using opkit_graph::Link;
using opkit_graph::OperatorData;

class Checker {
 public:
  Checker(const OperatorData& op, const Prototype& prototype, const std::string& name)
      : op_(op), prototype_(prototype), name_(name), links_(op.inputs) {}

  Result<Sources> run() {
    OPKIT_CHECK(name_numbered());
    Sources sources;
    for (const PrototypeInput& input : prototype_.inputs) {
      OPKIT_TRY(sources[input.name], take(input));
    }
    if (!links_.empty())
      return bad(fmt::format("it has no input '{}'", links_.begin()->first),
                 suggest(links_.begin()->first, input_names()));
    OPKIT_CHECK(check_attributes());
    return sources;
  }

 private:
  Error bad(const std::string& why, const std::string& action) const {
    return Error(kBadOperator, fmt::format("{} ({}): {}", name_, op_.type, why), action)
        .of(op_.type);
  }

  std::vector<std::string> input_names() const {
    std::vector<std::string> names;
    for (const PrototypeInput& input : prototype_.inputs) names.push_back(input.name);
    return names;
  }

  // Inputs that were set by number have the name of that port.
  Status name_numbered() {
    for (const auto& [number, link] : op_.numbered_inputs) {
      if (number >= prototype_.inputs.size() ||
          prototype_.inputs[number].presence == Presence::kDynamic)
        return bad(fmt::format("input {} has no name", number), "SetInput with the input's name");
      links_.emplace(prototype_.inputs[number].name, link);
    }
    return {};
  }

  Result<std::vector<Link>> take(const PrototypeInput& input) {
    std::vector<Link> links;
    if (input.presence == Presence::kDynamic) return take_dynamic(input.name);
    const auto found = links_.find(input.name);
    if (found != links_.end()) {
      links.push_back(found->second);
      links_.erase(found);
    } else if (input.presence == Presence::kRequired) {
      return bad(fmt::format("input '{}' is not set", input.name),
                 fmt::format("set_input_{}", input.name));
    }
    return links;
  }

  Result<std::vector<Link>> take_dynamic(const std::string& name) {
    const auto count = op_.dynamic.find(name);
    const uint32_t wanted = count == op_.dynamic.end() ? 0 : count->second;
    std::vector<Link> links;
    for (;; links.push_back(
             links_.extract(links_.find(fmt::format("{}{}", name, links.size()))).mapped())) {
      if (links_.count(fmt::format("{}{}", name, links.size())) == 0) break;
    }
    if (!links.empty() && (wanted == 0 || wanted == links.size())) return links;
    return bad(
        fmt::format("dynamic input '{}' has {} tensors of {}", name, links.size(), wanted),
        fmt::format("create_dynamic_input_{0}(n), then set_dynamic_input_{0} for each", name));
  }

  Status check_attributes() const {
    std::vector<std::string> names;
    for (const PrototypeAttribute& one : prototype_.attributes) {
      names.push_back(one.name);
      OPKIT_CHECK(check(one));
    }
    for (const auto& [name, value] : op_.attributes) {
      if (std::count(names.begin(), names.end(), name) == 0)
        return bad(fmt::format("it has no attribute '{}'", name), suggest(name, names));
    }
    return {};
  }

  Status check(const PrototypeAttribute& attribute) const {
    const auto set = op_.attributes.find(attribute.name);
    const std::string action = "set_attr_" + attribute.name;
    if (set == op_.attributes.end() && attribute.otherwise) return {};
    if (set == op_.attributes.end())
      return bad(fmt::format("attribute '{}' is not set", attribute.name), action);
    if (set->second.index() == attribute.kind) return {};
    return bad(fmt::format("attribute '{}' is {}, wanted is {}", attribute.name,
                           name_of_kind(set->second.index()), name_of_kind(attribute.kind)),
               action);
  }

  const OperatorData& op_;
  const Prototype& prototype_;
  const std::string& name_;
  std::map<std::string, Link> links_;  // that nobody took yet
};

// "y0", "y1" of a dynamic output.
std::vector<std::string> names_of_outputs(const Prototype& source, size_t results) {
  if (!source.dynamic_output) return source.outputs;
  std::vector<std::string> names;
  for (size_t i = 0; i < results; ++i) names.push_back(fmt::format("{}{}", source.outputs[0], i));
  return names;
}

}  // namespace

Result<const Prototype*> prototype_of(const OperatorData& op, const std::string& name) {
  if (const Prototype* found = find_prototype(op.type)) return found;
  return Error(
      kNoOperator,
      fmt::format("{}: there is no operator '{}' for graphs that programs build", name, op.type),
      suggest(op.type, prototype_types()));
}

Result<Sources> check_operator(const OperatorData& op, const Prototype& prototype,
                               const std::string& name) {
  return Checker(op, prototype, name).run();
}

Result<size_t> output_of(const Link& link, const Prototype& source, size_t results,
                         const std::string& name) {
  size_t number = link.index;
  const std::vector<std::string> outputs = names_of_outputs(source, results);
  if (!link.output.empty())
    number = static_cast<size_t>(std::find(outputs.begin(), outputs.end(), link.output) -
                                 outputs.begin());
  if (number < outputs.size()) return number;
  const std::string which = link.output.empty() ? fmt::format("{}", link.index) : link.output;
  return Error(kBadOperator, fmt::format("{} ({}) has no output {}", name, source.type, which),
               suggest(which, outputs))
      .of(source.type);
}

}  // namespace opkit::ge_frontend
