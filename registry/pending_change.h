// PendingChange: what an installer is about to do, in <opp>/.opkit/pending while it does it. One
// move of a package's directory makes the change; what follows from it (the order of the vendors,
// the owner of a name) is read as done from that move on, and written by whoever takes the lock
// next. So a kill at any point leaves the OPP of before or of after.
#ifndef OPKIT_REGISTRY_PENDING_CHANGE_H_
#define OPKIT_REGISTRY_PENDING_CHANGE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit::registry {

struct PendingChange {
  enum class Order { kKeep, kFirst, kOut };  // what becomes of the vendor in load_priority

  std::string vendor, op;
  std::string version{};  // empty: all of the op
  bool arrives = true;    // the directory comes to its place, or leaves it
  Order order = Order::kKeep;
  std::string owner{};  // the key that owns the vendor's name from then on, or empty
  uint64_t inode = 0;   // names the directory that moves

  bool operator==(const PendingChange&) const = default;
  // Where the directory comes to, or leaves from.
  std::filesystem::path place(const std::filesystem::path& opp) const;
};

std::filesystem::path pending_file(const std::filesystem::path& opp);
// Returns where a rollback sets an earlier copy of what it takes away, until the change is made.
std::filesystem::path earlier_copy(const std::filesystem::path& opp);

// OPK-INSTALL-012.
Result<PendingChange> parse_pending(std::string_view text, const std::string& name);
std::string to_text(const PendingChange& change);
// Returns nothing while no change is under way. OPK-INSTALL-012, OPK-PKG-013.
Result<std::optional<PendingChange>> load_pending(const std::filesystem::path& opp);

// Returns the inode of a directory; nothing when it is not there.
std::optional<uint64_t> inode_of(const std::filesystem::path& directory);
// Tells whether the directory of a change has been moved.
bool is_made(const PendingChange& change, const std::filesystem::path& opp);
// Returns the change whose directory has been moved, for readers: they take what follows from it
// for done. Nothing when the file is damaged; who takes the lock says so.
std::optional<PendingChange> made_change(const std::filesystem::path& opp);

// Takes the first step of a change: writes it to the disk, with the inode of `directory`.
// OPK-INSTALL-004.
Status begin_change(const std::filesystem::path& opp, PendingChange change,
                    const std::filesystem::path& directory);
}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_PENDING_CHANGE_H_
