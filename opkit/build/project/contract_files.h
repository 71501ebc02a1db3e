#ifndef OPKIT_BUILD_PROJECT_CONTRACT_FILES_H_
#define OPKIT_BUILD_PROJECT_CONTRACT_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

namespace opkit::project {

// Returns the contracts in a project's folder: op_contract.yaml alone, or those of a family, each
// <op>_contract.yaml, sorted.
std::vector<std::filesystem::path> contracts_of(const std::filesystem::path& project);

// Returns the folder in <build>/package of what is made of one of them; empty: package itself.
std::string package_name(const std::filesystem::path& contract);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_CONTRACT_FILES_H_
