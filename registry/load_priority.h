// LoadPriority: the order of an OPP's vendors, the first line of vendors/config.ini.
#ifndef OPKIT_REGISTRY_LOAD_PRIORITY_H_
#define OPKIT_REGISTRY_LOAD_PRIORITY_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::registry {

// Returns <opp>/vendors/config.ini.
std::filesystem::path priority_file(const std::filesystem::path& opp);

// load_priority of that file. Only the first line counts; blanks are trimmed; a
// missing file means no vendors.
struct LoadPriority {
  std::vector<std::string> vendors;
  Errors warnings;  // OPK-REG-006
};
LoadPriority parse_load_priority(std::string_view text, const std::string& name);
// A change that is under way counts as soon as its package has been moved (pending_change.h).
LoadPriority read_load_priority(const std::filesystem::path& opp);

// Config text with `vendor` moved to the front, or taken out; all other lines stay.
std::string with_vendor_first(std::string_view text, const std::string& vendor);
std::string without_vendor(std::string_view text, const std::string& vendor);

// Rewrites vendors/config.ini in one step. OPK-INSTALL-004, OPK-PKG-013.
Status put_vendor_first(const std::filesystem::path& opp, const std::string& vendor);
Status take_vendor_out(const std::filesystem::path& opp, const std::string& vendor);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_LOAD_PRIORITY_H_
