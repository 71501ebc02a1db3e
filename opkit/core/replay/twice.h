// What a launch leaves in GM, kept to be compared: of OPKIT_REPLAY=compare, which runs the kernel
// and the program of every launch.
#ifndef OPKIT_CORE_REPLAY_TWICE_H_
#define OPKIT_CORE_REPLAY_TWICE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "opkit/core/state/fault.h"
#include "opkit/core/state/launch_request.h"

namespace opkit::core {

class WrittenTensors {
 public:
  // Copies every range that the launch may write.
  explicit WrittenTensors(const LaunchRequest& request);
  // Writes the copies back.
  void put_back() const;
  // EK1610 with what the program's launch says, or the first byte that is another one now; or a
  // fault without a code.
  Fault difference(const LaunchReport& program) const;

 private:
  struct Kept {
    const GmRange* range;
    std::vector<uint8_t> bytes;
  };
  std::vector<Kept> kept_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_TWICE_H_
