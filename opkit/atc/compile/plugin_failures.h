// PluginFailures: plugins that ended their worker, or gave no answer, when a compilation asked
// them.
#ifndef OPKIT_ATC_COMPILE_PLUGIN_FAILURES_H_
#define OPKIT_ATC_COMPILE_PLUGIN_FAILURES_H_

#include <map>
#include <string>

#include "opkit/base/status.h"

namespace opkit::compile {

class PluginFailures {
 public:
  // Keeps why a plugin said no; OPK-WORKER alone is kept. `asked`: "node Add_3", "the time of
  // Add_3".
  void add(const Error& error, const std::string& asked);
  // Tells whether the plugin has failed three times: who asks again would only wait again.
  bool gave_up(const std::string& op) const;
  // Returns the first of each op.
  const Errors& warnings() const { return warnings_; }

 private:
  std::map<std::string, int> counts_;  // counts failures by op
  Errors warnings_;
};

// Returns what gave_up() means, for reports.
std::string gave_up_text();

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_PLUGIN_FAILURES_H_
