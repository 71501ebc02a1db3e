// Prototype: an operator as msOpGen's JSON or an OpDef describes it, and the contract that says the
// same.
#ifndef OPKIT_CONTRACT_PROTOTYPE_H_
#define OPKIT_CONTRACT_PROTOTYPE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit {

struct ProtoPort {
  std::string name;
  std::string presence = "required";
  std::vector<std::string> dtypes;   // holds one for each column
  std::vector<std::string> formats;  // holds one for each column
  bool value_depend = false;
  Location where;
};

struct OpPrototype {
  std::string op;
  std::vector<ProtoPort> inputs, outputs;
  size_t columns = 0;
  std::string attr_lines;  // holds the attributes as a contract has them
  std::vector<std::string> socs;
  bool from_definition = false;  // made from an OpDef, not from JSON
  bool infers_shape = false;     // the OpDef's sources do
};

// Returns the contract's YAML. What it leaves open is added to `notes`, which become its first
// lines.
std::string contract_text(const OpPrototype& prototype, std::vector<std::string>& notes);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_PROTOTYPE_H_
