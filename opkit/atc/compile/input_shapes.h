// The flag --input_shape, and where one shape of every input is wanted; for several: gears.h.
#ifndef OPKIT_ATC_COMPILE_INPUT_SHAPES_H_
#define OPKIT_ATC_COMPILE_INPUT_SHAPES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/shape.h"

namespace opkit::compile {

// A dim as the flag states it: one value, -1, or a range.
struct StatedDim {
  int64_t low = 0, high = 0;
  bool open() const { return low == -1; }
  bool range() const { return low != high; }
};
struct StatedInput {
  std::string name;
  std::vector<StatedDim> dims;
};

// "data:1,3,-1,-1;mask:1~4,8"; "x:" is a scalar. Error: E10002 another form, with what is wrong.
Result<std::vector<StatedInput>> parse_stated_inputs(const std::string& text);

// Parses one shape of every input. Errors: those above; E10001 dims that are not known (-1), or
// ranges.
Result<std::map<std::string, Shape>> parse_input_shapes(const std::string& text);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_INPUT_SHAPES_H_
