// The fusion switch file: which ops the user does not want.
#ifndef OPKIT_ATC_COMPILE_SWITCHES_H_
#define OPKIT_ATC_COMPILE_SWITCHES_H_

#include <map>
#include <string>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit::compile {

struct Switches {
  bool all = true;                    // fused ops that are not named
  std::map<std::string, bool> named;  // says by op type whether it is on

  bool is_on(const std::string& op, bool fused) const;
};

// Lines "AddRelu:off", or JSON as the vendor's: {"Switch": {"GraphFusion": {"ALL": "off",
// "AddRelu": "on"}, "UBFusion": {...}}}. ALL stands for every op of several nodes; names override
// it. Error: E10001 with the line.
Result<Switches> parse_switches(std::string_view text, const std::string& file);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_SWITCHES_H_
