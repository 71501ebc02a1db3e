#include "opkit/call/execute/runners.h"

namespace opkit {

Result<OpRunner*> Runners::of(const Chip& chip) {
  std::unique_ptr<OpRunner>& runner = runners_[chip];
  if (!runner) {
    OPKIT_TRY(const SocMatch match, find_soc(chip.soc));
    runner = std::make_unique<OpRunner>(*match.spec, chip.threads, chip.room);
  }
  return runner.get();
}

}  // namespace opkit
