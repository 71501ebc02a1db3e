// How the kernels of a stand-alone program run. The program's environment chooses:
//   OPKIT_MODE     fast (the default), checked or timed
//   OPKIT_NUMERICS, OPKIT_NO_IMPLIED_ORDER  1: `opkit run`'s --numerics, --no-implied-order, for
//                  checked launches
//   OPKIT_SCHEDULE_SEED  a number; not 0: a legal schedule other than program order
//   OPKIT_PROFILE  a folder; every timed launch writes its profile to <folder>/<number>_<kernel>
//   OPKIT_TIMES    a file; every timed launch adds the line "kernel nanoseconds cycles blocks"
//   OPKIT_STREAMS  when the tasks of streams run, see scheduler.h
//   OPKIT_STRICT   1: what the device refuses or leaves to chance is an error, see environment.h
//   OPKIT_WARM     a number of runs of every timed launch before the one that counts
#ifndef OPKIT_ACL_DEVICE_MODE_H_
#define OPKIT_ACL_DEVICE_MODE_H_

#include <string>

#include "opkit/base/debug/source_line.h"
#include "opkit/call/plan/watch.h"

namespace opkit::acl {

// One mode for one process; it judges launch after launch.
class ProgramMode {
 public:
  // Returns what the environment asks for. Ends the process when it asks for what there is not:
  // OPK-LAUNCH-009: another word; -010: no timing figures for the chip; -011: a seed that is no
  // number; -012: a switch that is neither 1 nor 0; -013: OPKIT_WARM is no number from 0 to 100.
  explicit ProgramMode(const std::string& soc);

  core::Observer* observer() { return watch_.observer(); }  // nullptr: Fast
  uint64_t schedule_seed() const { return schedule_seed_; }
  // Tells on stderr or in files what the launch showed. False: it was wrong.
  bool judge(core::LaunchReport report, const std::string& kernel);
  // Judges a launch that no observer saw, in the same way.
  bool judge_unwatched(const core::LaunchReport& report, const std::string& kernel);
  // Modelled, of the launch that judge() was given last; 0: it has none.
  uint64_t nanoseconds() const { return nanoseconds_; }

 private:
  void show(const core::Faults& faults, const std::string& kernel);
  bool show(const core::CheckedReport& found, const std::string& kernel);
  bool tell(const core::TimedResult& result, const std::string& kernel) const;
  bool write(const core::TimedResult& result, const std::string& kernel);

  std::string soc_, folder_, times_;
  uint64_t schedule_seed_ = 0, nanoseconds_ = 0;
  opkit::Mode mode_;
  Watch watch_;
  debug::SourceLines lines_;
  unsigned launches_ = 0;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DEVICE_MODE_H_
