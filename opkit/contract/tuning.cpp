#include "opkit/contract/tuning.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/suggest.h"

namespace opkit {

Status check_knobs(const OpContract& contract, const AttrValues& knobs) {
  if (knobs.empty()) return {};
  OPKIT_TRY(const Knobs declared, read_knobs(contract.text, contract.location.file));
  std::vector<std::string> names;
  for (const Knob& knob : declared) names.push_back(knob.name);
  for (const auto& [attr, value] : knobs) {
    const std::string name = attr.substr(kKnobPrefix.size());
    const auto knob = std::find_if(declared.begin(), declared.end(),
                                   [&](const Knob& one) { return one.name == name; });
    if (knob == declared.end())
      return contract.error("OPK-TUNE-001", fmt::format("there is no knob '{}'", name),
                            names.empty()
                                ? "declare it in the contract: tuning: {" + name + ": [1, 2]}"
                                : suggest(name, names));
    const int64_t* number = std::get_if<int64_t>(&value);
    if (number != nullptr && std::binary_search(knob->values.begin(), knob->values.end(), *number))
      continue;
    return contract.error(
        "OPK-TUNE-002",
        fmt::format("knob '{}' is {}; it has {} values from {} to {}", name, to_string(value),
                    knob->values.size(), knob->values.front(), knob->values.back()),
        fmt::format("--attr {}={}", attr, knob->values.front()));
  }
  return {};
}

}  // namespace opkit
