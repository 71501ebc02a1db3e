#include "opkit/acl/base/environment.h"

#include <cstdio>
#include <cstdlib>

namespace opkit::acl {

std::string from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

bool switched_on(const char* name, bool otherwise) {
  const std::string word = from_environment(name);
  if (word.empty()) return otherwise;
  if (word == "0") return false;
  if (word == "1") return true;
  end_process(
      Error("OPK-LAUNCH-012", std::string(name) + " is '" + word + "'", "set it to 1 or 0"));
}

bool strict() {
  static const bool on = switched_on("OPKIT_STRICT", from_environment("OPKIT_MODE") == "checked");
  return on;
}

void end_process(const Error& error) {
  std::fprintf(stderr, "%s\n", error.to_string().c_str());
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace opkit::acl
