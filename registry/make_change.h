// The steps of a change of an OPP (pending_change.h), from its beginning to its end.
#ifndef OPKIT_REGISTRY_MAKE_CHANGE_H_
#define OPKIT_REGISTRY_MAKE_CHANGE_H_

#include <filesystem>

#include "opkit/base/status.h"
#include "registry/pending_change.h"
#include "registry/vendor_layout.h"

namespace opkit::registry {

// Says one move in the directory of a change.
struct Move {
  enum class How {
    kToFreeName,
    kSwap,  // trades places with what lies there
    kOver,  // what lies there waits aside, and goes once the change is made
  };

  std::filesystem::path from, to;
  How how = How::kToFreeName;
};

// Makes a whole change, with the OPP's reserve when the disk is full and it is no installation; on
// failure the OPP is as it was. REQUIRES: the lock is held. OPK-INSTALL-004, -008, and those of
// settle_change. layout: makes what follows from it for build files (vendor_layout.h); nullptr:
// nothing does.
Status make_change(const std::filesystem::path& opp, const PendingChange& change, const Move& move,
                   const LayoutMaker* layout = nullptr);

// Takes the last step of a change: ends what is pending. Does what follows when the directory has
// been moved, else takes away every trace. REQUIRES: the lock is held. OPK-INSTALL-004, -012,
// OPK-PKG-013, OPK-TRUST-003; the change is pending still.
Status settle_change(const std::filesystem::path& opp);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_MAKE_CHANGE_H_
