// What the flags of opkit quantize say.
#ifndef OPKIT_CLI_MODELS_QUANTIZE_OPTIONS_H_
#define OPKIT_CLI_MODELS_QUANTIZE_OPTIONS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/command.h"
#include "opkit/quantize/options.h"

namespace opkit::cli {

std::vector<Flag> quantize_flags();

// Returns the options of the flags and of --config. `layers`: those of the model. Errors:
// OPK-CLI-004 a value that there is not; OPK-CLI-003 one that no layer's method reads; those of
// quantize::read_config; OPK-QUANT-005 --skip of no layer.
Result<quantize::QuantizeOptions> quantize_options(const Arguments& arguments,
                                                   const std::vector<std::string>& layers);

// --data and --record, of which one is needed. Error: OPK-CLI-003.
Status check_source(const Arguments& arguments);
// Checks that what only data have a use for is not given with --record. Error: OPK-CLI-003.
Status check_record_flags(const Arguments& arguments);

// "m.onnx" gives "m_int8.onnx" in the working folder, unless --output says otherwise.
std::filesystem::path int8_path(const Arguments& arguments);
// "m_int8.onnx" gives "m_int8_record.txt".
std::filesystem::path record_path(const std::filesystem::path& output);
// "m_int8.onnx" gives "m_int8_keep_dtype.txt".
std::filesystem::path keep_path(const std::filesystem::path& output);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_QUANTIZE_OPTIONS_H_
