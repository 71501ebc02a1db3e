// Bytes of memory that a worker takes of its host: pages of its own, and of files in memory that it
// has open or mapped.
#ifndef OPKIT_ISOLATION_MEMORY_USE_H_
#define OPKIT_ISOLATION_MEMORY_USE_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace opkit::isolation {

struct FileInMemory {
  uint64_t inode = 0, bytes = 0;  // that its pages take
};
FileInMemory file_in_memory(int fd);

// Its own pages, private or shared, and what files in memory take: those that it has open, and
// those that are mapped but not open. Not the files whose inodes are in `except`. Nothing: the
// process cannot be looked at.
std::optional<uint64_t> memory_use(pid_t process, const std::set<uint64_t>& except);
// Never less than memory_use(), and quickly found; pages of libraries count, too.
std::optional<uint64_t> memory_use_at_most(pid_t process, const std::set<uint64_t>& except);

// Resident bytes of mappings in the text of /proc/<pid>/smaps: of files in memory only those whose
// inodes are not in `except`, of other files none.
uint64_t resident_in(std::string_view smaps, const std::set<uint64_t>& except);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_MEMORY_USE_H_
