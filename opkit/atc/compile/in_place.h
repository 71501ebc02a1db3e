// InPlaceJudge: whether a kernel may write its result where an operand lies.
#ifndef OPKIT_ATC_COMPILE_IN_PLACE_H_
#define OPKIT_ATC_COMPILE_IN_PLACE_H_

#include <map>
#include <string>

#include "opkit/atc/compile/candidate.h"
#include "opkit/atc/compile/plugin_failures.h"

namespace opkit::compile {

class InPlaceJudge {
 public:
  // Says no for a kernel that is not proved to. Asks the plugin once for each call that it has not
  // seen. REQUIRES: an installed op takes the candidate.
  bool may(const Candidate& candidate, const InPlace& pair);
  const PluginFailures& failures() const { return failures_; }

 private:
  bool ask(const Candidate& candidate, const InPlace& pair);

  std::map<std::string, bool> known_;
  PluginFailures failures_;
};

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_IN_PLACE_H_
