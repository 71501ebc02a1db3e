#include "opkit/isolation/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

// Defines rights of kernels that are newer than the headers.
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

namespace opkit::isolation {
namespace {

constexpr uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE;
constexpr uint64_t kReadFolder = kReadFile | LANDLOCK_ACCESS_FS_READ_DIR;

// Landlock's struct as later kernels know it; a kernel takes the part that it knows.
struct Ruleset {
  uint64_t files = 0, network = 0, scopes = 0;
};

Ruleset ruleset_of(int abi) {
  Ruleset rules;
  rules.files = kReadFolder | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                LANDLOCK_ACCESS_FS_MAKE_SYM;
  if (abi >= 2) rules.files |= LANDLOCK_ACCESS_FS_REFER;
  if (abi >= 3) rules.files |= LANDLOCK_ACCESS_FS_TRUNCATE;
  constexpr uint64_t kTcp = 3;  // bind, connect
  constexpr uint64_t kAbstractAndSignals = 3;
  if (abi >= 4) rules.network = kTcp;
  if (abi >= 6) rules.scopes = kAbstractAndSignals;
  return rules;
}

void allow_place(long set, const std::filesystem::path& place, uint64_t more) {
  const int at = ::open(place.c_str(), O_PATH | O_CLOEXEC);
  struct stat facts = {};
  if (at >= 0 && ::fstat(at, &facts) == 0) {
    landlock_path_beneath_attr allowed = {};
    allowed.allowed_access = (S_ISDIR(facts.st_mode) ? kReadFolder : kReadFile) | more;
    allowed.parent_fd = at;
    ::syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &allowed, 0);
  }
  if (at >= 0) ::close(at);
}

}  // namespace

bool restrict_files(const std::vector<std::filesystem::path>& readable) {
  const long abi =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1) return false;
  const Ruleset rules = ruleset_of(static_cast<int>(abi));
  const size_t known = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  const long set = ::syscall(SYS_landlock_create_ruleset, &rules, known, 0);
  if (set < 0) return false;
  for (const std::filesystem::path& place : readable) allow_place(set, place, 0);
  allow_place(set, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE);
  const bool done = ::syscall(SYS_landlock_restrict_self, set, 0) == 0;
  ::close(static_cast<int>(set));
  return done;
}

}  // namespace opkit::isolation
