// The JSON Schema of op_contract.yaml, for editors. docs/op_contract.schema.json is its copy. It
// describes fields, types and spellings; names, expressions and the reference graph are checked by
// OpContract only.
#ifndef OPKIT_CONTRACT_SCHEMA_H_
#define OPKIT_CONTRACT_SCHEMA_H_

#include <string>

namespace opkit {

// Indented text that ends in a newline.
std::string contract_schema_text();

}  // namespace opkit

#endif  // OPKIT_CONTRACT_SCHEMA_H_
