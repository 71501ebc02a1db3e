// The lines of a contract that name the package: op, version, SoCs.
#ifndef REGISTRY_CONTRACT_HEADER_H_
#define REGISTRY_CONTRACT_HEADER_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::registry {

struct ContractHeader {
  std::string op, version;
  Location op_place, version_place;
  std::vector<std::string> socs;
};

// OPK-PKG-005 when the file cannot be read as a contract.
Result<ContractHeader> read_contract_header(const std::filesystem::path& path);

}  // namespace opkit::registry

#endif  // REGISTRY_CONTRACT_HEADER_H_
