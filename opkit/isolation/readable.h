// What a plugin may read: its package, and what the loader and the C library need of the host.
#ifndef OPKIT_ISOLATION_READABLE_H_
#define OPKIT_ISOLATION_READABLE_H_

#include <filesystem>
#include <string_view>
#include <vector>

namespace opkit::isolation {

// Names folders that plugins may read besides, separated by ':'.
inline constexpr const char* kReadsVariable = "OPKIT_WORKER_READS";

// Returns what plugins of the package in `folder` may read.
std::vector<std::filesystem::path> readable_places(const std::filesystem::path& folder);

// Returns the package that a library lies in, by its manifest; the library's own folder where there
// is none.
std::filesystem::path package_folder_of(const std::filesystem::path& library);

// Folders of a loader's configuration file (ld.so.conf(5) as ldconfig(8) describes it), with those
// of the files that it includes.
std::vector<std::filesystem::path> loader_folders(const std::filesystem::path& file);

// Returns the whole paths in a list with ':' between; an empty part is none.
std::vector<std::filesystem::path> listed_folders(std::string_view list);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_READABLE_H_
