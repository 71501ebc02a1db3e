#include "registry/host.h"

#include <dlfcn.h>
#include <glob.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <typeinfo>

#include "opkit/abi/types.h"
#include "registry/elf.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr uint32_t kMinAbi = 1;
constexpr int kMaxIncludes = 8;  // depth of ld.so.conf includes

int add_soname(dl_phdr_info* info, size_t, void* list) {
  const fs::path path = info->dlpi_name;
  if (!path.empty()) static_cast<std::vector<std::string>*>(list)->push_back(path.filename());
  return 0;
}

void add_directory(const std::string& text, std::vector<fs::path>& list) {
  if (text.empty() || std::find(list.begin(), list.end(), text) != list.end()) return;
  std::error_code code;
  if (fs::is_directory(text, code)) list.emplace_back(text);
}

void read_loader_config(const std::string& file, int depth, std::vector<fs::path>& list);

void read_included(const std::string& pattern, int depth, std::vector<fs::path>& list) {
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; ++i) {
      read_loader_config(found.gl_pathv[i], depth + 1, list);
    }
  }
  globfree(&found);
}

// ld.so.conf(5): a directory per line, `include <pattern>`, comments after '#'.
void read_loader_config(const std::string& file, int depth, std::vector<fs::path>& list) {
  if (depth > kMaxIncludes) return;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string first, second;
    words >> first >> second;
    if (first == "include")
      read_included(second, depth, list);
    else
      add_directory(first, list);
  }
}

std::vector<fs::path> loader_directories() {
  std::vector<fs::path> list;
  if (const char* text = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ':');) add_directory(part, list);
  }
  read_loader_config("/etc/ld.so.conf", 0, list);
  for (const char* path : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"}) add_directory(path, list);
  return list;
}

// Returns the version of the libstdc++ in this process, by what its file defines.
std::string read_libstdcxx_version() {
  Dl_info info{};
  if (dladdr(&typeid(int), &info) == 0 || info.dli_fname == nullptr) return {};
  const auto facts = read_elf_file(info.dli_fname, ElfParts::kVersions);
  return facts ? facts->highest_provided("GLIBCXX") : std::string();
}

// Returns a version that stays what it is as long as the process lives.
const std::string& libstdcxx_version() {
  static const std::string version = read_libstdcxx_version();
  return version;
}

std::string running_sanitizer() {
  if (dlsym(RTLD_DEFAULT, "__asan_init") != nullptr) return "address";
  if (dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr) return "thread";
  return "none";
}

std::string running_platform() {
  utsname name{};
  if (uname(&name) != 0) return {};
  return std::string("linux-") + name.machine;
}

}  // namespace

HostFacts HostFacts::of_abi() {
  HostFacts host;
  host.min_abi = kMinAbi;
  host.max_abi = OPK_ABI_VERSION;
  return host;
}

HostFacts HostFacts::of_this_process() {
  HostFacts host = of_abi();
  host.platform = running_platform();
  host.sanitizer = running_sanitizer();
  host.glibc = gnu_get_libc_version();
  host.glibcxx = libstdcxx_version();
  host.library_dirs = loader_directories();
  dl_iterate_phdr(add_soname, &host.loaded);
  return host;
}

fs::path HostFacts::find_library(const std::string& soname,
                                 const std::vector<fs::path>& run_path) const {
  std::error_code code;
  for (const auto* list : {&run_path, &library_dirs}) {
    for (const fs::path& directory : *list) {
      if (fs::exists(directory / soname, code)) return directory / soname;
    }
  }
  if (std::find(loaded.begin(), loaded.end(), soname) != loaded.end()) return soname;
  return {};
}

}  // namespace opkit::registry
