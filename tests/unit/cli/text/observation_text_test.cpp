#include "opkit/cli/text/observation_text.h"

#include <gmock/gmock.h>

namespace opkit::cli {
namespace {

using testing::HasSubstr;

Observation with_a_warning() {
  core::Fault fault;
  fault.code = "EK1805";
  fault.message = "UnPad: rightPad is 0";
  fault.action = "leave the call out";
  fault.warning = true;
  Observation seen;
  seen.watched.checked = core::report_of({fault});
  return seen;
}

// Decision 14: each kind of excess gives one warning per launch, which `opkit run` shows in every
// mode.
TEST(ObservationText, ShowsTheWarningsOfFast) {
  const Palette plain(false);
  const std::string text = observation_text(with_a_warning(), Mode::kFast, plain);
  EXPECT_THAT(text, HasSubstr("EK1805 warning: UnPad: rightPad is 0"));
  EXPECT_EQ(observation_text(with_a_warning(), Mode::kChecked, plain), text);
  EXPECT_EQ(observation_text({}, Mode::kFast, plain), "");
  EXPECT_EQ(observation_text({}, Mode::kChecked, plain), "nothing to report\n");
}

}  // namespace
}  // namespace opkit::cli
