// Contract files as the command line names them.
#ifndef OPKIT_CLI_OPTIONS_CONTRACT_PATH_H_
#define OPKIT_CLI_OPTIONS_CONTRACT_PATH_H_

#include <string>

#include "opkit/base/status.h"

namespace opkit::cli {

// Returns a file as it is; of a project or package folder the contract inside. OPK-FILE-001.
Result<std::string> contract_path(const std::string& given);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_CONTRACT_PATH_H_
