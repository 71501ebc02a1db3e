#ifndef OPKIT_REGISTRY_CHANGE_TRUST_H_
#define OPKIT_REGISTRY_CHANGE_TRUST_H_

#include <filesystem>
#include <functional>

#include "opkit/base/status.h"
#include "registry/trust.h"

namespace opkit::registry {

// Loads an OPP's trust, changes and saves it under the OPP's lock.
Status change_trust(const std::filesystem::path& opp, const std::function<Status(Trust&)>& change);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_CHANGE_TRUST_H_
