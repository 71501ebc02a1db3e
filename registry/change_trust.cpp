#include "registry/change_trust.h"

#include <chrono>

#include "registry/lasting_files.h"
#include "registry/opp_lock.h"
#include "registry/reserve.h"

namespace opkit::registry {
namespace fs = std::filesystem;

Status change_trust(const fs::path& opp, const std::function<Status(Trust&)>& change) {
  OPKIT_TRY(const OppLock lock, OppLock::acquire(opp, std::chrono::seconds(30)));
  OPKIT_TRY(Trust trust, load_trust(opp));
  OPKIT_CHECK(change(trust));
  const Status saved = save_trust(opp, trust);
  if (saved || saved.error().code != kCannotWrite || !spend_reserve(opp)) return saved;
  return save_trust(opp, trust);
}

}  // namespace opkit::registry
