// The flag --input_shape.
#ifndef OPKIT_COMPILE_INPUT_SHAPES_H_
#define OPKIT_COMPILE_INPUT_SHAPES_H_

#include <map>
#include <string>
#include <string_view>

#include "opkit/base/shape.h"

namespace opkit::compile {

// "data:1,3,224,224;mask:1,8"; "x:" is a scalar. Errors: E10002 another form; E10001 dims that are
// not known (-1) or ranges (1~4), which are not compiled yet.
Result<std::map<std::string, Shape>> parse_input_shapes(std::string_view text);

}  // namespace opkit::compile

#endif  // OPKIT_COMPILE_INPUT_SHAPES_H_
