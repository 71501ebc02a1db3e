// Flags of the vendor's atc, and build options of its graph API, that ask for what opkit does
// anyway: their names are known, so that scripts run as they are, and a value that asks for
// something else is refused.
#ifndef OPKIT_ATC_COMPILE_ACCEPTED_FLAGS_H_
#define OPKIT_ATC_COMPILE_ACCEPTED_FLAGS_H_

#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::compile {

struct AcceptedFlag {
  std::string name;                 // "core_type"; of atc with two dashes in front
  std::vector<std::string> values;  // the first is the vendor's default; empty: any
  std::string why;                  // other values are refused
};

const std::vector<AcceptedFlag>& accepted_flags();
// Null: there is none of that name.
const AcceptedFlag* find_accepted_flag(const std::string& name);
// Checks a value of the flag, named `called` by the user. Error: E10001 with the values that can
// be.
Status check(const AcceptedFlag& flag, const std::string& called, const std::string& value);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_ACCEPTED_FLAGS_H_
