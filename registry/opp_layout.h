// Names inside an OPP: who installs and who searches agree on them here.
#ifndef OPKIT_REGISTRY_OPP_LAYOUT_H_
#define OPKIT_REGISTRY_OPP_LAYOUT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::registry {

// The vendor whose packages lie in <opp>/built-in instead of <opp>/vendors.
inline constexpr const char* kBuiltIn = "built-in";
// Names <opp>/.opkit: the lock file and the staging directories. Searches skip it.
inline constexpr const char* kWorkFolder = ".opkit";

std::filesystem::path vendor_folder(const std::filesystem::path& opp, const std::string& vendor);
std::filesystem::path package_folder(const std::filesystem::path& opp, const std::string& vendor,
                                     const std::string& op, const std::string& version);
// Returns where an op's versions lie that were rolled back.
std::filesystem::path parking(const std::filesystem::path& opp);
std::filesystem::path parked_op(const std::filesystem::path& opp, const std::string& vendor,
                                const std::string& op);

// Sub-directories by name, sorted, without hidden ones.
std::vector<std::string> folders_in(const std::filesystem::path& directory);
// Tells whether version a comes before b, which is lower; names that are no version come last.
bool version_before(const std::string& a, const std::string& b);
// Installed versions, highest first; names that are no version come last.
std::vector<std::string> versions_in(const std::filesystem::path& op_directory);
std::vector<std::string> versions_of(const std::filesystem::path& opp, const std::string& vendor,
                                     const std::string& op);
// Vendors with a directory, listed in load_priority or not; built-in last when it is there.
std::vector<std::string> vendors_in(const std::filesystem::path& opp);

// OPK-PKG-013 when a directory below the OPP on the way to and including `leaf` is a link.
Status check_way(const std::filesystem::path& opp, const std::filesystem::path& leaf);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_OPP_LAYOUT_H_
