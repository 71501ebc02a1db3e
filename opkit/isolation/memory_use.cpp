#include "opkit/isolation/memory_use.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace opkit::isolation {
namespace fs = std::filesystem;
namespace {

constexpr uint64_t kUnitOfBlocks = 512, kBytesOfPage = 4096;

FileInMemory in_memory(const struct stat& facts) {
  return {facts.st_ino, static_cast<uint64_t>(facts.st_blocks) * kUnitOfBlocks};
}

struct OpenFiles {
  uint64_t bytes = 0;
  std::set<uint64_t> inodes;  // holds inodes, `except` included
};

// Files without a name in any folder, as memfd_create makes them, each once.
std::optional<OpenFiles> open_files(pid_t process, const std::set<uint64_t>& except) {
  OpenFiles files{0, except};
  std::error_code failure;
  fs::directory_iterator entries(fmt::format("/proc/{}/fd", process), failure);
  for (; !failure && entries != fs::directory_iterator(); entries.increment(failure)) {
    struct stat facts = {};
    if (::stat(entries->path().c_str(), &facts) != 0) continue;
    if (!S_ISREG(facts.st_mode) || facts.st_nlink != 0) continue;
    const FileInMemory file = in_memory(facts);
    if (files.inodes.insert(file.inode).second) files.bytes += file.bytes;
  }
  if (failure) return std::nullopt;
  return files;
}

std::optional<std::string> text_of_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) return std::nullopt;
  return text.str();
}

// "7f..-7f.. rw-s 00000000 00:01 1234   /memfd:name (deleted)".
struct Mapping {
  uint64_t inode = 0;
  std::string_view name;
};

std::optional<Mapping> mapping_of(std::string_view line) {
  const size_t dash = line.find('-'), blank = line.find(' ');
  if (dash == std::string_view::npos || dash > blank || blank == std::string_view::npos)
    return std::nullopt;
  size_t at = blank;
  for (int field = 0; field < 3; ++field) at = line.find(' ', at + 1);
  if (at == std::string_view::npos) return std::nullopt;
  Mapping mapping;
  const char* const begin = line.data() + at + 1;
  const auto [end, failure] = std::from_chars(begin, line.data() + line.size(), mapping.inode);
  if (failure != std::errc()) return std::nullopt;
  const size_t name = line.find_first_not_of(' ', static_cast<size_t>(end - line.data()));
  if (name != std::string_view::npos) mapping.name = line.substr(name);
  return mapping;
}

bool counts(const Mapping& mapping, const std::set<uint64_t>& except) {
  if (mapping.inode == 0) return true;  // belongs to no file
  const bool in_memory = mapping.name.starts_with("/memfd:") ||
                         mapping.name.starts_with("/dev/zero (deleted)") ||
                         mapping.name.starts_with("/SYSV");
  return in_memory && except.count(mapping.inode) == 0;
}

}  // namespace

FileInMemory file_in_memory(int fd) {
  struct stat facts = {};
  return ::fstat(fd, &facts) == 0 ? in_memory(facts) : FileInMemory();
}

uint64_t resident_in(std::string_view smaps, const std::set<uint64_t>& except) {
  constexpr std::string_view kResident = "Rss:";
  uint64_t bytes = 0;
  bool counted = false;
  while (!smaps.empty()) {
    const size_t end = std::min(smaps.find('\n'), smaps.size());
    const std::string_view line = smaps.substr(0, end);
    smaps.remove_prefix(std::min(end + 1, smaps.size()));
    if (line.starts_with(kResident)) {
      uint64_t kib = 0;
      const size_t at = std::min(line.find_first_of("0123456789"), line.size());
      std::from_chars(line.data() + at, line.data() + line.size(), kib);
      bytes += counted ? kib << 10 : 0;
    } else if (const std::optional<Mapping> mapping = mapping_of(line)) {
      counted = counts(*mapping, except);
    }
  }
  return bytes;
}

std::optional<uint64_t> memory_use(pid_t process, const std::set<uint64_t>& except) {
  const std::optional<OpenFiles> files = open_files(process, except);
  const auto smaps = text_of_file(fmt::format("/proc/{}/smaps", process));
  if (!files || !smaps) return std::nullopt;
  return files->bytes + resident_in(*smaps, files->inodes);
}

std::optional<uint64_t> memory_use_at_most(pid_t process, const std::set<uint64_t>& except) {
  std::FILE* file = std::fopen(fmt::format("/proc/{}/statm", process).c_str(), "re");
  if (!file) return std::nullopt;
  unsigned long long all = 0, resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &all, &resident);
  std::fclose(file);
  const std::optional<OpenFiles> files = open_files(process, except);
  if (read != 2 || !files) return std::nullopt;
  return resident * kBytesOfPage + files->bytes;
}

}  // namespace opkit::isolation
