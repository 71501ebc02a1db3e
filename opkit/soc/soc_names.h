// Names of chips beyond those with a file: families, what the toolkit's tools know besides, and the
// chip that is taken where none is named.
#ifndef OPKIT_SOC_SOC_NAMES_H_
#define OPKIT_SOC_SOC_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit {

// A chip that users know by these beginnings of names, and that opkit has no file of.
struct AbsentChip {
  std::vector<std::string> beginnings;
  std::string sentence;  // goes behind "no chip is called 'x': "
  std::string instead;   // the name of a chip with a file
  std::string reason;    // why that one
};

// What opkit/soc/other_chips.yaml says.
struct OtherChips {
  std::vector<std::string> names;     // that contracts may list
  std::vector<std::string> families;  // whose chips' names begin with the family's
  std::vector<AbsentChip> absent;
};
Result<OtherChips> parse_other_chips(std::string_view yaml, std::string name);
// Returns the embedded file's.
const OtherChips& other_chips();

// Returns the chip that is taken where a user names none: the one that `stands_for: all`.
const std::string& default_soc();

// Returns the chip that a family's name means (Ascend910B: Ascend910B1); empty: there is none. Case
// and a missing "Ascend" do not matter.
std::string chip_of_family(std::string_view family);

// Returns the names that a contract may list, sorted: chips, families and those of
// other_chips.yaml.
const std::vector<std::string>& listed_soc_names();

// Returns the family of a name in any case: "Ascend310B4" -> "Ascend310B", "Ascend910A" ->
// "Ascend910". A family or an unknown name is returned as it is.
std::string family_of_soc(std::string_view name);

// "ascend910b" for every spelling of the name.
std::string plain_soc_name(std::string_view name);

}  // namespace opkit

#endif  // OPKIT_SOC_SOC_NAMES_H_
