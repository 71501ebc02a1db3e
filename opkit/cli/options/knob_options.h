// --attr tuning.tile=4096: knobs of one call's tiling function (docs/tuning.md). Private to this
// folder.
#ifndef OPKIT_CLI_OPTIONS_KNOB_OPTIONS_H_
#define OPKIT_CLI_OPTIONS_KNOB_OPTIONS_H_

#include <string>
#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/contract/op_contract.h"

namespace opkit::cli {

// Takes the knobs among the words of --attr, tuning.bank=0 included; returns the other words.
// Errors: OPK-TUNE-001, -002; those of a value that is no whole number.
Result<std::vector<std::string>> read_knobs_said(const OpContract& contract,
                                                 const Arguments& arguments, AttrValues& attrs);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_KNOB_OPTIONS_H_
