// The flags that let a model's inputs have several dims: --dynamic_batch_size,
// --dynamic_image_size, --dynamic_dims, and ranges in --input_shape.
#ifndef OPKIT_ATC_COMPILE_GEARS_H_
#define OPKIT_ATC_COMPILE_GEARS_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/base/shape.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::compile {

// The texts of the flags; empty: not given.
struct GearFlags {
  std::string input_shape, input_format, batch, image, dims;
};

// A model is compiled once for each gear.
struct Gears {
  model::GearKind kind = model::GearKind::kNone;
  // Holds the values of each gear; for kNone one gear without any.
  std::vector<std::vector<int64_t>> values;
  std::vector<std::map<std::string, Shape>> shapes;  // holds the shapes of each gear, by input
};

// "--dynamic_batch_size=1,2,4 --input_shape=x:-1,3,8,8" is three gears; "x:1~3,8" three as well.
// Errors: E10002 an input_shape of another form; E10001 flags that exclude each other, gears that
// do not fit the -1 of --input_shape, fewer than 2 gears or more than 100, -1 without a flag.
Result<Gears> read_gears(const GearFlags& flags);

// "1,64"
std::string gear_text(const std::vector<int64_t>& values);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_GEARS_H_
