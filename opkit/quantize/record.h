// The record file: scales and offsets of every layer in the text form that AMCT's users know.
//
//   record {
//     key: "conv1"
//     value { scale_d: 0.0787  offset_d: 0  scale_w: 0.0012  scale_w: ...  offset_w: 0  ... }
//   }
//
// A key "tensor:NAME" tells of a value between layers; it has scale_d and offset_d alone.
#ifndef OPKIT_QUANTIZE_RECORD_H_
#define OPKIT_QUANTIZE_RECORD_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::quantize {

struct RecordEntry {
  std::string key;
  double scale_d = 0;
  int64_t offset_d = 0;
  std::vector<double> scale_w;
  std::vector<int64_t> offset_w;
  Location where = {};
};

inline constexpr std::string_view kTensorKey = "tensor:";

std::string record_text(const std::vector<RecordEntry>& entries);

// Error: OPK-QUANT-007 with the place: no record's text, an unknown field, a number that is none, a
// key or a field twice, a scale that is not positive or too small, offsets of weights other than 0.
Result<std::vector<RecordEntry>> parse_record(std::string_view text, const std::string& file);
Result<std::vector<RecordEntry>> load_record(const std::filesystem::path& file);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_RECORD_H_
