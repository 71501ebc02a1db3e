#include "opkit/cli/options/knob_options.h"

#include "opkit/base/document.h"
#include "opkit/call/execute/tuned_plan.h"
#include "opkit/contract/tuning.h"

namespace opkit::cli {

Result<std::vector<std::string>> read_knobs_said(const OpContract& contract,
                                                 const Arguments& arguments, AttrValues& attrs) {
  std::vector<std::string> others;
  for (const std::string& text : arguments.all("--attr")) {
    if (!text.starts_with(kKnobPrefix)) {
      others.push_back(text);
      continue;
    }
    OPKIT_TRY(const Assignment given, parse_assignment("--attr", text, {"tuning.tile"}));
    OPKIT_TRY(const Document document, Document::parse(given.value, "--attr " + given.name));
    OPKIT_TRY(const int64_t value, document.root().as_int(given.name));
    if (given.name != kNoBank) OPKIT_CHECK(check_knobs(contract, {{given.name, value}}));
    attrs[given.name] = value;
  }
  return others;
}

}  // namespace opkit::cli
