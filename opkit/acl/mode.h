// How the kernels of a stand-alone program run. The program's environment chooses:
//   OPKIT_MODE     fast (the default), checked or timed
//   OPKIT_NUMERICS, OPKIT_NO_IMPLIED_ORDER  1: `opkit run`'s --numerics, --no-implied-order, for
//                  checked launches
//   OPKIT_SCHEDULE_SEED  a number; not 0: a legal schedule other than program order
//   OPKIT_PROFILE  a folder; every timed launch writes its profile to <folder>/<number>_<kernel>
//   OPKIT_TIMES    a file; every timed launch adds the line "kernel nanoseconds cycles blocks"
#ifndef OPKIT_ACL_MODE_H_
#define OPKIT_ACL_MODE_H_

#include <memory>
#include <string>

#include "opkit/core/machine.h"
#include "opkit/debug/source_line.h"

namespace opkit::acl {

// One mode for one process; it judges launch after launch.
class Mode {
 public:
  virtual ~Mode() = default;
  virtual core::Observer* observer() = 0;  // nullptr: Fast
  // Tells on stderr or in files what the launch showed. False: it was wrong.
  virtual bool judge(const core::LaunchReport& report, const std::string& kernel) = 0;
};

// What the environment asks for. Ends the process when it asks for what there is not:
// OPK-LAUNCH-009: another word; -010: no timing figures for the chip; -012: a switch that is
// neither 1 nor 0; -013: OPKIT_WARM is no number from 0 to 100.
std::unique_ptr<Mode> chosen_mode(const std::string& soc);

// OPK-LAUNCH-011 and the end of the process when it is no number.
uint64_t chosen_schedule_seed();

// A fault as one or two lines on stderr.
void show(const core::Faults& faults, const std::string& kernel);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MODE_H_
