// What changed between two versions of a contract, and what that asks of the version number.
#ifndef OPKIT_CONTRACT_DIFF_H_
#define OPKIT_CONTRACT_DIFF_H_

#include <string>
#include <vector>

#include "opkit/contract/changes.h"
#include "opkit/contract/op_contract.h"

namespace opkit {

class Json;

struct ContractDiff {
  std::string old_version, new_version;
  std::vector<Change> changes;

  // Returns the highest level of any change.
  ChangeLevel level() const;
  // Returns the lowest version that may follow old_version.
  std::string needed_version() const;
  // Tells whether new_version is at least that.
  bool version_suffices() const;
};

ContractDiff diff_contracts(const OpContract& before, const OpContract& after);

// Returns what `opkit contract diff` prints.
std::string diff_text(const ContractDiff& diff);
Json diff_json(const ContractDiff& diff);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_DIFF_H_
