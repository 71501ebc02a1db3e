// Arguments: what the user gave to one command, checked against its description.
#ifndef OPKIT_CLI_OPTIONS_ARGUMENTS_H_
#define OPKIT_CLI_OPTIONS_ARGUMENTS_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/cli/options/command.h"

namespace opkit::cli {

class Arguments {
 public:
  // The option was given.
  bool has(const std::string& name) const { return values_.count(name) != 0; }
  // Returns the last value of an option or positional; its preset, else "", when it was not given.
  std::string get(const std::string& name) const;
  std::optional<std::string> find(const std::string& name) const;
  std::vector<std::string> all(const std::string& name) const;
  // REQUIRES: the option is declared as an integer and was given or has a preset.
  int64_t integer(const std::string& name) const;
  // REQUIRES: the option is declared as seconds and was given.
  std::chrono::milliseconds milliseconds(const std::string& name) const;

 private:
  friend class Parser;
  std::map<std::string, std::vector<std::string>> values_;
  std::map<std::string, std::string> presets_;
};

// "x=32,128" -> {"x", "32,128"}. OPK-CLI-006 when there is no '=' or no name; `flag` is for the
// message, `names` for an action that works: what may stand before the '='.
struct Assignment {
  std::string name, value;
};
Result<Assignment> parse_assignment(const std::string& flag, const std::string& text,
                                    const std::vector<std::string>& names);
// "--out z=z.npy", as an action suggests it: what a shell would take apart is quoted.
std::string assigned(const std::string& flag, const std::string& name, const std::string& value);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_ARGUMENTS_H_
