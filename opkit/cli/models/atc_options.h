// The flags of atc and what they ask for.
#ifndef OPKIT_CLI_MODELS_ATC_OPTIONS_H_
#define OPKIT_CLI_MODELS_ATC_OPTIONS_H_

#include <string>
#include <vector>

#include "opkit/atc/compile/compile.h"
#include "opkit/atc/compile/gears.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/command.h"
#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

// The vendor's last line after a success.
inline constexpr const char* kAtcSuccess = "ATC run success, welcome to the next use.\n";

// Returns the table; flags of the vendor's program that are refused are in it, hidden.
std::vector<Flag> atc_flags();
const std::vector<std::string>& missing_atc_flags();

// Values that are refused, and flags that exclude each other. Errors: E10001, E10007.
Status check_atc_flags(const Arguments& arguments);
Result<compile::Options> atc_options(const Arguments& arguments, Console& console);
// Returns the shapes for which the model is compiled. Errors: those of read_gears; E10001 gears
// with flags that are for one shape. REQUIRES: `soc` is a full name. (Vendor's page
// "--input_shape": ranges are not for every chip.)
Result<compile::Gears> atc_gears(const Arguments& arguments, const std::string& soc);
// --calibration: NAME=FILE.npy for each input of the model, or for none.
Status read_calibration(const Arguments& arguments, const graph::Graph& graph,
                        compile::Options& options);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_ATC_OPTIONS_H_
