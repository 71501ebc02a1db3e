// Watch: the mode of a launch: which observers take part, and what they have to say afterwards.
#ifndef OPKIT_CALL_PLAN_WATCH_H_
#define OPKIT_CALL_PLAN_WATCH_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/timed.h"
#include "opkit/soc/soc_spec.h"

namespace opkit {

enum class Mode : uint8_t { kFast, kChecked, kTimed };

// "fast", "checked", "timed", in the order of Mode.
const std::vector<std::string>& mode_names();
std::optional<Mode> mode_from_name(std::string_view name);

struct WatchOptions {
  Mode mode = Mode::kFast;
  core::CheckedOptions checked;  // holds options for Checked alone
  core::TimedOptions timed;      // holds options for Timed alone
  // Lets Timed watch chips of which nobody measured a figure: to compare variants, not to tell
  // microseconds.
  bool of_unmeasured_chips = false;
  // Checked weighs needless flags and barriers by the chip's figures, where it has any.
  bool weighs = false;
};

// What was seen of one launch.
struct Watched {
  core::LaunchReport report;               // faults, and what the kernel printed
  core::CheckedReport checked;             // is filled by Checked
  std::optional<core::TimedResult> timed;  // is filled by Timed, unless there was a fault

  // Tells whether there is no fault, and no finding that is an error.
  bool good() const { return report.ok() && checked.errors() == 0; }
};

// Watches launch after launch, one at a time.
class Watch {
 public:
  // Makes a watch; Timed, and Checked that weighs, look at `soc`. Error: trace::measured_rates'
  // (trace::rates_of', of_unmeasured_chips), of Timed.
  static Result<Watch> make(const WatchOptions& options, const SocSpec& soc);

  core::Observer* observer();  // nullptr: Fast
  // Takes what was watched of the launch that has just ended with this report.
  Watched take(core::LaunchReport report);

  Watch(Watch&&) noexcept;
  Watch& operator=(Watch&&) noexcept;
  ~Watch();

 private:
  struct State;
  explicit Watch(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_WATCH_H_
