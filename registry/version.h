// Semantic versions (semver 2.0): the names of package directories and their order.
#ifndef OPKIT_REGISTRY_VERSION_H_
#define OPKIT_REGISTRY_VERSION_H_

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::registry {

struct SemVer {
  uint64_t major = 0, minor = 0, patch = 0;
  std::vector<std::string> prerelease;  // identifiers after '-'
  std::string build;                    // after '+'; no part of the order

  // "1.2.3", "1.2.3-rc.1", "1.2.3+7". Refuses leading zeros, missing parts, blanks and more than 64
  // characters with OPK-VERSION-001.
  static Result<SemVer> parse(std::string_view text);
  std::string to_string() const;
};

// Negative, zero or positive as a is before, equal to or after b in semver precedence.
int compare(const SemVer& a, const SemVer& b);

// Dotted numbers of any length ("2.36", "3.4.30"): the versions of libc and libstdc++. Missing
// parts count as 0; what is no number ends the comparison.
int compare_dotted(std::string_view a, std::string_view b);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_VERSION_H_
