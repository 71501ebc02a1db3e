// In the worker: which files the plugin may reach, by Landlock.
#ifndef OPKIT_ISOLATION_LANDLOCK_H_
#define OPKIT_ISOLATION_LANDLOCK_H_

#include <filesystem>
#include <vector>

namespace opkit::isolation {

// From now on this process reads what lies in these places (folders, or files), and writes nothing
// but /dev/null. Places that are not there are passed over. False: the kernel has no Landlock.
bool restrict_files(const std::vector<std::filesystem::path>& readable);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_LANDLOCK_H_
