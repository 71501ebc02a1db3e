// Overwritten: the observer that sees whether a launch reads bytes after it has written them, in
// tensors that share their memory. When it never does, and no two accesses race (Checked), an
// output may lie where an input lies.
#ifndef OPKIT_CORE_MODES_OVERWRITTEN_H_
#define OPKIT_CORE_MODES_OVERWRITTEN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "opkit/core/state/launch_request.h"
#include "opkit/core/state/observer.h"

namespace opkit::core {

class Overwritten : public Observer {
 public:
  // Looks at no more pieces of memory than this, that is, runs of operands.
  explicit Overwritten(uint64_t most_pieces = uint64_t{1} << 22) : most_(most_pieces) {}

  // Why the tensors cannot share their memory, a sentence; or empty. Of the last launch, which ends
  // at the first such reason.
  const std::string& why() const { return why_; }

  // Watches the writable GM ranges that the request lists twice.
  void launch_begins(const LaunchRequest& request) override;
  bool admit(Core& core, const Footprint& footprint) override;
  bool forbids_excess() const override { return true; }

 private:
  struct Shared {
    GmRange range;
    std::map<uint64_t, uint64_t> written;  // end by begin, in bytes; apart from each other
  };

  Shared* shared_with(const Access& access);
  std::string look(const Core& core, const Footprint& footprint);
  std::string read(const Shared& shared, const Access& access);
  void write(Shared& shared, const Access& access);
  template <typename Visit>
  void each_run(const Shared& shared, const Access& access, Visit&& visit);

  uint64_t most_, pieces_ = 0;
  std::vector<Shared> shared_;
  std::string why_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_OVERWRITTEN_H_
