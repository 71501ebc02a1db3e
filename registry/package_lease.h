// PackageLease: keeps the bytes of a package while a process uses them. Installers replace and
// remove packages all the same, by moving their directories: one that is leased is moved away whole
// and stays until a later installer finds that the last lease has ended. A lease is a shared lock
// of the directory, so that it ends with its process, however that ends.
#ifndef OPKIT_REGISTRY_PACKAGE_LEASE_H_
#define OPKIT_REGISTRY_PACKAGE_LEASE_H_

#include <cstdint>
#include <filesystem>

namespace opkit::registry {

class PackageLease {
 public:
  // Leases the directory that has this name now. Where there is none, or its file system has no
  // locks, nothing is kept: then the name stands for whatever lies there.
  explicit PackageLease(const std::filesystem::path& directory);
  PackageLease(const PackageLease&) = delete;
  ~PackageLease();

  bool holds() const { return fd_ >= 0; }
  const std::filesystem::path& name() const { return name_; }
  // Where the directory lies: it may have been moved.
  std::filesystem::path directory() const;
  // Calls `read` with the place of the directory, again when it was moved meanwhile, also to
  // another place and back.
  template <typename Read>
  auto reading(const Read& read) const {
    while (true) {
      const int64_t since = changed();
      const std::filesystem::path at = directory();
      auto result = read(at);
      if (directory() == at && changed() == since) return result;
    }
  }

 private:
  // Returns when the directory was last moved or its entries changed, in nanoseconds.
  int64_t changed() const;

  std::filesystem::path name_, canonical_;  // name the package as it was given, and without links
  int fd_ = -1;
};

// Tells whether anybody has a lease of the directory, or of one in it.
bool is_leased(const std::filesystem::path& directory);

// Removes a file, or a directory unless anybody has a lease of it or of one in it; nobody gets one
// between the look and the end.
void remove_unless_leased(const std::filesystem::path& path);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_PACKAGE_LEASE_H_
