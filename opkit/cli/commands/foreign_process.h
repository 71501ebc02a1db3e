// A process that somebody else runs, as /proc tells of it.
#ifndef OPKIT_CLI_COMMANDS_FOREIGN_PROCESS_H_
#define OPKIT_CLI_COMMANDS_FOREIGN_PROCESS_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/cli/commands/checkup.h"

namespace opkit::cli {

// A library or another file that a process has in its memory.
struct MappedFile {
  std::filesystem::path path;
  uint64_t inode = 0;
  bool removed = false;  // since it was mapped

  bool operator==(const MappedFile&) const = default;
};

struct ForeignProcess {
  int64_t pid = 0;
  std::filesystem::path program, folder;         // that it runs, that it works in
  std::map<std::string, std::string> variables;  // ASCEND_* and OPKIT_*, as it began with them
  std::vector<MappedFile> files;                 // each once

  // OPK-ENV-005: there is none, or it is another user's.
  static Result<ForeignProcess> look(int64_t pid);
};

// Returns the text of /proc/<pid>/environ and /proc/<pid>/maps.
std::map<std::string, std::string> own_variables(std::string_view environment);
std::vector<MappedFile> mapped_files(std::string_view maps);

// Tells of its environment, the OPP that it searches, the runtime and the plugins that it has
// loaded, and whether those are the ones that serve now.
std::vector<CheckupItem> check_process(const ForeignProcess& process);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_FOREIGN_PROCESS_H_
