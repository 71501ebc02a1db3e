// The flag --input_shape where one shape of every input is wanted; for several: gears.h.
#ifndef OPKIT_COMPILE_INPUT_SHAPES_H_
#define OPKIT_COMPILE_INPUT_SHAPES_H_

#include <map>
#include <string>
#include <string_view>

#include "opkit/base/shape.h"

namespace opkit::compile {

// E10002, the text has another form.
Error wrong_input_shape(std::string_view text);

// "data:1,3,224,224;mask:1,8"; "x:" is a scalar. Errors: E10002 another form; E10001 dims that are
// not known (-1), or ranges (1~4).
Result<std::map<std::string, Shape>> parse_input_shapes(std::string_view text);

}  // namespace opkit::compile

#endif  // OPKIT_COMPILE_INPUT_SHAPES_H_
