// Fields that the contracts of one folder have in common: `family: family.yaml` in a contract names
// a file beside it that holds them.
#ifndef OPKIT_CONTRACT_FAMILY_H_
#define OPKIT_CONTRACT_FAMILY_H_

#include <string>
#include <string_view>

#include "opkit/base/document.h"

namespace opkit {

// A contract that needs no other file. Values of the family keep their place in its file.
struct WholeContract {
  Value root;
  std::string text;
};

// Returns the contract `root`, whose text is `text` and whose file is `name`, with the fields of
// the family that it lacks; without a `family` as it is. OPK-CONTRACT-050: the family is no file
// beside the contract, or holds what is an op's own; errors of reading the file.
Result<WholeContract> join_family(const Value& root, std::string_view text,
                                  const std::string& name);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_FAMILY_H_
