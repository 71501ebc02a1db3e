// A child whose system calls that change files are watched: the nth is where it dies, or fails.
#ifndef OPKIT_TESTS_UNIT_REGISTRY_TRACED_H_
#define OPKIT_TESTS_UNIT_REGISTRY_TRACED_H_

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace opkit::registry {

using Inode = std::pair<dev_t, ino_t>;

// One call as it begins.
struct FileCall {
  enum class Kind { kCreate, kWrite, kMakeFolder, kRename, kRemove, kFlush, kOther };
  Kind kind = Kind::kOther;
  std::filesystem::path path, to{};  // names what changes; `to`: where a rename leads
  Inode file{}, folder{}, to_folder{};
  bool moves_folder = false;  // a rename of a directory
  bool needs_space() const;
};

struct Strike {
  int nth = -1;           // counts the changing calls; negative: none
  int error = 0;          // what it ends with; 0: the child dies in front of it
  bool for_good = false;  // so do all from there on; of ENOSPC, all that need space
};

struct Traced {
  bool struck = false, good = false;  // good: the work said so
  std::vector<FileCall> calls;        // those that were let through
};

bool can_trace();
Traced run_traced(const std::function<bool()>& work, const Strike& strike = {});

// Files with bytes that were never flushed: what a power loss may leave empty.
std::set<Inode> unflushed_files(const std::vector<FileCall>& calls);
// Where a loss of power could leave what is neither before nor after: a sentence each.
std::vector<std::string> bad_orders(const std::vector<FileCall>& calls);

}  // namespace opkit::registry

#endif  // OPKIT_TESTS_UNIT_REGISTRY_TRACED_H_
