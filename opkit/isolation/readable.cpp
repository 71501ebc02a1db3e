#include "opkit/isolation/readable.h"

#include <glob.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "registry/package_form.h"

namespace opkit::isolation {
namespace fs = std::filesystem;
namespace {

// Nothing of a user's among them, and of /proc no process but this one.
constexpr const char* kOfTheHost[] = {"/usr",
                                      "/lib",
                                      "/lib32",
                                      "/lib64",
                                      "/libx32",
                                      "/etc/ld.so.cache",
                                      "/etc/ld.so.conf",
                                      "/etc/ld.so.conf.d",
                                      "/etc/localtime",
                                      "/etc/timezone",
                                      "/dev/null",
                                      "/dev/zero",
                                      "/dev/full",
                                      "/dev/random",
                                      "/dev/urandom",
                                      "/proc/self",
                                      "/proc/cpuinfo",
                                      "/proc/meminfo",
                                      "/proc/stat",
                                      "/proc/version",
                                      "/proc/sys/vm",
                                      "/proc/sys/kernel",
                                      "/sys/devices/system"};

void append(std::vector<fs::path>& to, const std::vector<fs::path>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<fs::path> in_variable(const char* name) {
  const char* list = std::getenv(name);
  return list ? listed_folders(list) : std::vector<fs::path>();
}

// What this process is linked with lies where the host's loader has found it.
int take_folder(dl_phdr_info* info, size_t, void* to) {
  const fs::path file = info->dlpi_name;
  if (file.is_absolute()) static_cast<std::vector<fs::path>*>(to)->push_back(file.parent_path());
  return 0;
}

std::vector<fs::path> matching(const std::string& pattern) {
  std::vector<fs::path> files;
  glob_t found = {};
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return files;
}

void take_loader_folders(const fs::path& file, int depth, std::vector<fs::path>& to) {
  constexpr int kDeepest = 4;
  std::ifstream stream(file);
  for (std::string line; depth < kDeepest && std::getline(stream, line);) {
    std::stringstream words(line.substr(0, line.find('#')));
    std::string first, second;
    words >> first >> second;
    if (first == "include") {
      const fs::path pattern =
          fs::path(second).is_absolute() ? fs::path(second) : file.parent_path() / second;
      for (const fs::path& other : matching(pattern)) take_loader_folders(other, depth + 1, to);
    } else if (fs::path(first).is_absolute()) {
      to.emplace_back(first);
    }
  }
}

}  // namespace

std::vector<fs::path> listed_folders(std::string_view list) {
  std::vector<fs::path> folders;
  while (!list.empty()) {
    const size_t end = std::min(list.find(':'), list.size());
    const fs::path folder = list.substr(0, end);
    if (folder.is_absolute()) folders.push_back(folder);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return folders;
}

std::vector<fs::path> loader_folders(const fs::path& file) {
  std::vector<fs::path> folders;
  take_loader_folders(file, 0, folders);
  return folders;
}

std::vector<fs::path> readable_places(const fs::path& folder) {
  std::vector<fs::path> places(std::begin(kOfTheHost), std::end(kOfTheHost));
  if (!folder.empty()) places.push_back(folder);
  append(places, loader_folders("/etc/ld.so.conf"));
  append(places, in_variable("LD_LIBRARY_PATH"));
  append(places, in_variable(kReadsVariable));
  ::dl_iterate_phdr(take_folder, &places);
  return places;
}

fs::path package_folder_of(const fs::path& library) {
  constexpr int kDeepest = 4;
  fs::path at = library.parent_path();
  for (int level = 0; level < kDeepest && at.has_relative_path(); ++level) {
    std::error_code ignored;
    if (fs::exists(at / registry::kManifestName, ignored)) return at;
    at = at.parent_path();
  }
  return library.parent_path();
}

}  // namespace opkit::isolation
