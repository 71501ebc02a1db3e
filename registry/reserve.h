// The reserve of an OPP: some space and names on its disk that an uninstallation or a rollback can
// have when the disk is full. Kept in <opp>/.opkit/reserve.
#ifndef OPKIT_REGISTRY_RESERVE_H_
#define OPKIT_REGISTRY_RESERVE_H_

#include <filesystem>

namespace opkit::registry {

// Makes what of the reserve is not there, as far as the disk has room.
void keep_reserve(const std::filesystem::path& opp);
// Gives it back to the disk. False: there was none.
bool spend_reserve(const std::filesystem::path& opp);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_RESERVE_H_
