// ControlGroups: what the control groups that a process is in allow it, as the kernel documents
// them
// ("Control Group v2", "Memory Resource Controller", "Process Number Controller").
#ifndef OPKIT_BASE_PROCESS_CONTROL_GROUPS_H_
#define OPKIT_BASE_PROCESS_CONTROL_GROUPS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace opkit {

class ControlGroups {
 public:
  struct Allowed {
    uint64_t most = 0;
    std::string group;  // "/user.slice/job_7"
  };
  // Nothing when the file cannot be read.
  using Read = std::function<std::optional<std::string>(const std::filesystem::path& file)>;

  static ControlGroups of_this_process();
  // Reads what /proc/self/cgroup (`groups`) and /proc/self/mountinfo (`mounts`) say.
  ControlGroups(std::string groups, std::string mounts, Read read)
      : groups_(std::move(groups)), mounts_(std::move(mounts)), read_(std::move(read)) {}

  // Bytes, and processes with their threads: the least on the way up. Nothing: as many as there
  // are.
  std::optional<Allowed> memory() const;
  std::optional<Allowed> processes() const;

 private:
  // `controller` and `old_file` of version 1, `file` of version 2.
  std::optional<Allowed> least(std::string_view controller, const char* file,
                               const char* old_file) const;

  std::string groups_, mounts_;
  Read read_;
};

}  // namespace opkit

#endif  // OPKIT_BASE_PROCESS_CONTROL_GROUPS_H_
