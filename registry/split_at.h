#ifndef OPKIT_REGISTRY_SPLIT_AT_H_
#define OPKIT_REGISTRY_SPLIT_AT_H_

#include <string>
#include <string_view>
#include <vector>

namespace opkit::registry {

// Returns what stands between the separators of a text, empty parts too.
std::vector<std::string> split_at(std::string_view text, char separator);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_SPLIT_AT_H_
