// Prototype: what graph/operators.inc says of an operator of the graph front end.
#ifndef OPKIT_ATC_GE_PROTOTYPES_H_
#define OPKIT_ATC_GE_PROTOTYPES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/operator.h"
#include "opkit/contract/op_contract.h"

namespace opkit::ge_frontend {

using opkit_graph::AttrValue;

struct PrototypeInput {
  std::string name;
  Presence presence = Presence::kRequired;
};

struct PrototypeAttribute {
  std::string name;
  size_t kind = 0;                     // the alternative of AttrValue
  std::optional<AttrValue> otherwise;  // absent: it must be set
};

struct Prototype {
  std::string type;
  std::vector<PrototypeInput> inputs;
  std::vector<std::string> outputs;
  std::vector<PrototypeAttribute> attributes;
  bool dynamic_output = false;  // its only output is several tensors: "y0", "y1", ...
};

// Null when there is none of that type.
const Prototype* find_prototype(const std::string& type);
std::vector<std::string> prototype_types();

// "Int", "ListInt"
const char* name_of_kind(size_t kind);

}  // namespace opkit::ge_frontend

#endif  // OPKIT_ATC_GE_PROTOTYPES_H_
