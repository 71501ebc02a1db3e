// OppLock: the right of one installer to change an OPP.
#ifndef OPKIT_REGISTRY_OPP_LOCK_H_
#define OPKIT_REGISTRY_OPP_LOCK_H_

#include <chrono>
#include <filesystem>
#include <utility>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::registry {

// One installer per OPP, in this process or another one. Freed at the end of its life.
class OppLock {
 public:
  // Creates the OPP when it is absent, and settles what a killed installer left (make_change.h).
  // Keeps the OPP's reserve (reserve.h). OPK-INSTALL-003 when another one keeps the lock too long,
  // -004 when the OPP cannot be written, OPK-PKG-013; those of settle_change.
  static Result<OppLock> acquire(const std::filesystem::path& opp, std::chrono::seconds timeout);

  OppLock(OppLock&& other) noexcept
      : fd_(other.fd_), held_(other.held_), opp_(std::move(other.opp_)) {
    other.fd_ = -1;
  }
  OppLock(const OppLock&) = delete;
  ~OppLock();

 private:
  explicit OppLock(int fd) : fd_(fd) {}
  int fd_ = -1;
  bool held_ = false;
  std::filesystem::path opp_;
};

// Returns what installers that were killed left in the OPP and nobody uses, sorted: who takes the
// lock next removes it. While an installer is at work some of it is its own.
std::vector<std::filesystem::path> leftovers_of(const std::filesystem::path& opp);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_OPP_LOCK_H_
