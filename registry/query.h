// Query and Resolution: what the registry is asked, and its short answer.
#ifndef OPKIT_REGISTRY_QUERY_H_
#define OPKIT_REGISTRY_QUERY_H_

#include <compare>
#include <string>

#include "opkit/base/status.h"
#include "registry/package.h"

namespace opkit::registry {

// Says what is asked. Empty members do not restrict.
struct Query {
  std::string op{};
  std::string soc{};
  std::string version{};  // exact, or a range (version_range.h)
  std::string vendor{};

  auto operator<=>(const Query&) const = default;
};

struct Resolution {
  Package package;
  Errors notes;  // warnings for the user: higher-priority packages that were passed by
};

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_QUERY_H_
