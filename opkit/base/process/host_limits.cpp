#include "opkit/base/process/host_limits.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string_view>
#include <vector>

#include "opkit/base/process/control_groups.h"

namespace opkit {
namespace {

// Takes the hard limit of processor time: a process may warn itself a little before.
std::optional<uint64_t> soft_limit(int what) {
  rlimit now = {};
  if (::getrlimit(static_cast<__rlimit_resource_t>(what), &now) != 0) return std::nullopt;
  if (what == RLIMIT_CPU && now.rlim_max != RLIM_INFINITY) return now.rlim_max;
  if (now.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return now.rlim_cur;
}

// As a shell shows it: in units of so many bytes.
void add_ulimit(std::vector<std::string>& words, int what, char letter, uint64_t unit) {
  if (const auto most = soft_limit(what))
    words.push_back(fmt::format("ulimit -{} is {}", letter, *most / unit));
}

uint64_t physical() {
  const auto pages = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

void add_addresses(std::vector<std::string>& words) {
  add_ulimit(words, RLIMIT_AS, 'v', 1024);
  add_ulimit(words, RLIMIT_DATA, 'd', 1024);
}

void add_memory(std::vector<std::string>& words) {
  add_addresses(words);
  words.push_back(memory_allowed().said);
}

void add_processes(std::vector<std::string>& words) {
  add_ulimit(words, RLIMIT_NPROC, 'u', 1);
  if (const auto group = ControlGroups::of_this_process().processes())
    words.push_back(
        fmt::format("the control group {} allows {} processes", group->group, group->most));
}

}  // namespace

MemoryAllowed memory_allowed() {
  const uint64_t host = physical();
  const auto group = ControlGroups::of_this_process().memory();
  if (group && group->most < host)
    return {group->most,
            fmt::format("the control group {} allows {} MiB", group->group, group->most >> 20)};
  return {host, fmt::format("the host has {} MiB", host >> 20)};
}

std::optional<uint64_t> address_space_allowed() { return soft_limit(RLIMIT_AS); }
std::optional<uint64_t> file_size_allowed() { return soft_limit(RLIMIT_FSIZE); }

std::string limits_of(Scarce what) {
  std::vector<std::string> words;
  switch (what) {
    case Scarce::kMemory: add_memory(words); break;
    case Scarce::kAddresses: add_addresses(words); break;
    case Scarce::kProcesses: add_processes(words); break;
    case Scarce::kDescriptors: add_ulimit(words, RLIMIT_NOFILE, 'n', 1); break;
    case Scarce::kFileSize: add_ulimit(words, RLIMIT_FSIZE, 'f', 1024); break;
    case Scarce::kTime: add_ulimit(words, RLIMIT_CPU, 't', 1); break;
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace opkit
