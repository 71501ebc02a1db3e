#include "opkit/atc/ge/prototypes.h"

namespace opkit::ge_frontend {
namespace {

template <typename T>
PrototypeAttribute attribute(const char* name, std::optional<T> otherwise) {
  PrototypeAttribute one{name, AttrValue(T{}).index(), {}};
  if (otherwise) one.otherwise = AttrValue(std::move(*otherwise));
  return one;
}

std::vector<Prototype> read_table() {
  std::vector<Prototype> all;
#define OPKIT_GE_OP(type) all.push_back({#type, {}, {}, {}, {}});
#define OPKIT_GE_INPUT(name) all.back().inputs.push_back({#name, Presence::kRequired});
#define OPKIT_GE_OPTIONAL_INPUT(name) all.back().inputs.push_back({#name, Presence::kOptional});
#define OPKIT_GE_DYNAMIC_INPUT(name) all.back().inputs.push_back({#name, Presence::kDynamic});
#define OPKIT_GE_OUTPUT(name) all.back().outputs.push_back(#name);
#define OPKIT_GE_DYNAMIC_OUTPUT(name)  \
  all.back().outputs.push_back(#name); \
  all.back().dynamic_output = true;
#define OPKIT_GE_REQUIRED_ATTR(name, kind) \
  all.back().attributes.push_back(attribute<opkit_graph::kind>(#name, std::nullopt));
#define OPKIT_GE_ATTR(name, kind, ...) \
  all.back().attributes.push_back(     \
      attribute<opkit_graph::kind>(#name, opkit_graph::kind(__VA_ARGS__)));
#define OPKIT_GE_END
#include "graph/operators.inc"
  return all;
}

const std::vector<Prototype>& table() {
  static const std::vector<Prototype> all = read_table();
  return all;
}

}  // namespace

const Prototype* find_prototype(const std::string& type) {
  for (const Prototype& one : table()) {
    if (one.type == type) return &one;
  }
  return nullptr;
}

std::vector<std::string> prototype_types() {
  std::vector<std::string> types;
  for (const Prototype& one : table()) types.push_back(one.type);
  return types;
}

const char* name_of_kind(size_t kind) {
  static constexpr const char* kNames[] = {
      "Int", "Float", "Bool", "String", "ListInt", "ListFloat", "ListBool", "ListString", "Tensor"};
  return kNames[kind];
}

}  // namespace opkit::ge_frontend
