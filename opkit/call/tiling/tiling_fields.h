// Tiling data by the names of its fields, as far as the plugin knows them: those of a class of
// BEGIN_TILING_DATA_DEF, and those of a plain struct whose definition the build could read.
#ifndef OPKIT_CALL_TILING_TILING_FIELDS_H_
#define OPKIT_CALL_TILING_TILING_FIELDS_H_

#include <string>
#include <vector>

#include "opkit/call/tiling/tile.h"

namespace opkit {

struct TilingFieldValue {
  std::string name;                 // "cube.baseM" for one of a nested class
  std::vector<std::string> values;  // one, or those of an array; as numbers are written
  bool is_array = false;
};

// Reads the fields that lie inside the data. Empty when the plugin knows no names for the key.
std::vector<TilingFieldValue> tiling_fields(const opk_op_v1& op, const TilingPlan& plan);

// Returns what the plugin says of fields that the tiling function has not set.
std::vector<std::string> unset_fields(const TilingPlan& plan);

// "totalLength 1000, tails {1, 2, 3}"; without names the data as 32-bit words, of which the first
// are told: "words 1000, 8, 0". Empty without data.
std::string tiling_data_text(const opk_op_v1& op, const TilingPlan& plan);

}  // namespace opkit

#endif  // OPKIT_CALL_TILING_TILING_FIELDS_H_
