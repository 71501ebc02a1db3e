// What npu-smi shows of the emulated chip, in the words and columns that scripts read.
#ifndef OPKIT_CLI_TEXT_NPU_SMI_TEXT_H_
#define OPKIT_CLI_TEXT_NPU_SMI_TEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "opkit/soc/soc_spec.h"

namespace opkit::cli {

// "Aicore Count" and "24", in the order of the lines. What an emulator cannot know is NA.
using NpuFacts = std::vector<std::pair<std::string, std::string>>;

// What may stand behind -t.
const std::vector<std::string>& npu_fact_types();

// REQUIRES: one of npu_fact_types(). `of_chip`: with -c, where the board and its chip differ.
NpuFacts npu_facts(const SocSpec& spec, const std::string& type, bool of_chip);

// Returns the table of `npu-smi info`.
std::string npu_table(const SocSpec& spec);
// npu-smi info -m.
std::string npu_mapping(const SocSpec& spec);
// npu-smi info -l.
NpuFacts npu_list();

// Returns a line each: the name, blanks, a colon, the value.
std::string npu_facts_text(const NpuFacts& facts);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TEXT_NPU_SMI_TEXT_H_
