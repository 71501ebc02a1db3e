// Machine: the cores of one emulated chip and the host threads that run them.
//
// Blocks are fibers. Every host thread takes the next block of its share, runs it until it ends or
// waits for another core, and then takes the next one; waiting blocks are resumed when what they
// wait for has happened. When every block waits, that is a deadlock and is reported with each
// core's reason. Results do not depend on the number of threads.
#ifndef OPKIT_CORE_MACHINE_H_
#define OPKIT_CORE_MACHINE_H_

#include <memory>

#include "opkit/abi/soc.h"
#include "opkit/core/state/launch_request.h"

namespace opkit::core {

class Machine {
 public:
  // threads = 0: one per host core. The soc's strings must outlive the machine.
  explicit Machine(const opk_soc_v1& soc, unsigned threads = 0);
  ~Machine();

  const opk_soc_v1& soc() const;
  unsigned threads() const;

  // Runs a launch to its end. Observed launches run on the calling thread alone. One launch at a
  // time.
  LaunchReport launch(const LaunchRequest& request);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_MACHINE_H_
