#include "registry/make_change.h"

#include <fmt/format.h>

#include <optional>

#include "registry/lasting_files.h"
#include "registry/load_priority.h"
#include "registry/opp_layout.h"
#include "registry/reserve.h"
#include "registry/stage.h"
#include "registry/trust.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

using Order = PendingChange::Order;

// A vendor's place goes with its last package, the OPP itself stays. False: there is more to do.
bool prune_places(const PendingChange& change, const fs::path& opp) {
  const fs::path top = change.arrives || change.vendor == kBuiltIn ? opp : opp / "vendors";
  const bool placed = prune_empty(change.place(opp).parent_path(), top);
  return prune_empty(parked_op(opp, change.vendor, change.op), opp / kWorkFolder) && placed;
}

Status finish(const PendingChange& change, const fs::path& opp) {
  if (change.order == Order::kFirst) OPKIT_CHECK(put_vendor_first(opp, change.vendor));
  if (change.order == Order::kOut) OPKIT_CHECK(take_vendor_out(opp, change.vendor));
  discard(opp, earlier_copy(opp));  // what cannot go now goes with the leftovers
  return {};
}

Status take_back(const PendingChange& change, const fs::path& opp) {
  std::error_code code;
  const fs::path parked = parked_op(opp, change.vendor, change.op) / change.version;
  const auto there = [&](const fs::path& path) {
    return fs::exists(fs::symlink_status(path, code));
  };
  if (!change.arrives && there(earlier_copy(opp)) && !there(parked))
    OPKIT_CHECK(move_to_free_name(earlier_copy(opp), parked));
  return {};
}

Status run(const Move& move, const fs::path& opp) {
  if (move.how == Move::How::kSwap) return exchange(move.from, move.to);
  std::error_code code;
  if (move.how == Move::How::kOver && fs::exists(fs::symlink_status(move.to, code)))
    OPKIT_CHECK(move_to_free_name(move.to, earlier_copy(opp)));
  return move_to_free_name(move.from, move.to);
}

void run_back(const Move& move) {
  std::error_code code;
  Status status;
  if (move.how == Move::How::kSwap) status = exchange(move.from, move.to);
  if (move.how != Move::How::kSwap) fs::rename(move.to, move.from, code);
  (void)status;  // the change is pending then, and readers take it for made
}

// Refuses a change while an earlier one is made but could not put its files for build files in
// place: this one would take those for its own.
Status check_no_earlier(const fs::path& opp) {
  OPKIT_TRY(const auto earlier, load_pending(opp));
  if (!earlier || !awaits_layout(opp, *earlier)) return {};
  return cannot_write(
      vendor_folder(opp, earlier->vendor),
      fmt::format("files of the change of {} before cannot be put in their place", earlier->op));
}

Status try_change(const fs::path& opp, const PendingChange& change, const Move& move,
                  const LayoutMaker* layout) {
  OPKIT_CHECK(check_no_earlier(opp));
  if (layout) OPKIT_CHECK(prepare_layout(opp, change, move.from, *layout));
  Status status = begin_change(opp, change, move.from);
  const bool begun = status.ok();
  if (status) status = run(move, opp);
  if (status) status = settle_change(opp);
  if (status) return {};
  if (!begun) forget_layout(opp);
  if (begun && made_change(opp)) run_back(move);
  const Status undone = settle_change(opp);
  (void)undone;  // the first error is the one to report
  return status;
}

// Tells whether a change makes room, or needs next to none. An installation leaves the reserve to
// those.
bool may_spend(const fs::path& opp, const PendingChange& change, const Move& move) {
  return !change.arrives || move.from.parent_path() == parked_op(opp, change.vendor, change.op);
}

}  // namespace

Status make_change(const fs::path& opp, const PendingChange& change, const Move& move,
                   const LayoutMaker* layout) {
  const std::optional<uint64_t> inode = inode_of(move.from);
  Status status = try_change(opp, change, move, layout);
  if (status || status.error().code != kCannotWrite || !may_spend(opp, change, move) ||
      !spend_reserve(opp))
    return status;
  const auto made = made_change(opp);
  OPKIT_CHECK(settle_change(opp));  // whatever the full disk has left
  return made && made->inode == inode ? Status() : try_change(opp, change, move, layout);
}

Status settle_change(const fs::path& opp) {
  OPKIT_TRY(const auto change, load_pending(opp));
  if (!change) return {};
  OPKIT_CHECK(check_way(opp, change->place(opp).parent_path()));
  if (!change->owner.empty()) OPKIT_CHECK(settle_trust(opp));
  OPKIT_CHECK(is_made(*change, opp) ? finish(*change, opp) : take_back(*change, opp));
  // Files for build files and folders go last: until then a move can be taken back without space
  // for new ones. What stays pending is ended once more.
  if (is_made(*change, opp) && !apply_layout(opp, *change)) return {};
  forget_layout(opp);
  if (!prune_places(*change, opp)) return {};
  std::error_code code;
  fs::remove(pending_file(opp), code);
  const Status synced = sync_directory(opp / kWorkFolder);
  (void)synced;
  return {};
}

}  // namespace opkit::registry
