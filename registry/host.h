// What this process can load: the other side of every fit check. Plain data, so that tests can be
// another machine.
#ifndef OPKIT_REGISTRY_HOST_H_
#define OPKIT_REGISTRY_HOST_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace opkit::registry {

struct HostFacts {
  uint32_t min_abi = 0, max_abi = 0;  // plugin ABI numbers served
  std::string platform;               // "linux-x86_64"
  std::string sanitizer = "none";     // "none", "address", "thread"
  std::string glibc, glibcxx;         // "2.36", "3.4.30"; empty = unknown, then not compared
  std::vector<std::filesystem::path> library_dirs;  // where the loader looks, in order
  std::vector<std::string> loaded;                  // sonames already in the process

  // REQUIRES nothing; what cannot be found out stays empty.
  static HostFacts of_this_process();
  // Only the plugin ABI numbers: all that reading a plugin's tables needs.
  static HostFacts of_abi();

  // Returns the file that `soname` would come from, or empty. run_path entries come first.
  std::filesystem::path find_library(const std::string& soname,
                                     const std::vector<std::filesystem::path>& run_path) const;
};

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_HOST_H_
