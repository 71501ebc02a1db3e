// The files and flags that people write for atc.
#ifndef OPKIT_TESTS_FUZZ_ATC_FILES_H_
#define OPKIT_TESTS_FUZZ_ATC_FILES_H_

#include <cstdint>
#include <string_view>

namespace opkit::fuzz {

enum class AtcFile : uint8_t {
  kAipp,       // --insert_op_conf
  kKept,       // --keep_dtype
  kSwitches,   // --fusion_switch_file
  kGears,      // five lines: --input_shape, --input_format and the three flags of gears
  kSingleOps,  // --singleop
  kInterface,  // three lines: --out_nodes, --output_type, --input_fp16_nodes
  kCount
};

// Tells whether atc takes the text; aborts when a promise is broken.
bool accepts(AtcFile file, std::string_view text);

}  // namespace opkit::fuzz

#endif  // OPKIT_TESTS_FUZZ_ATC_FILES_H_
