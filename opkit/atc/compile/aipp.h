// AIPP: what --insert_op_conf puts in front of a model's inputs, so that they take images as
// cameras give them.
#ifndef OPKIT_ATC_COMPILE_AIPP_H_
#define OPKIT_ATC_COMPILE_AIPP_H_

#include <string>
#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::compile {

// One aipp_op.
struct AippOp {
  int64_t rank = 0;   // numbers the input that it prepares
  std::string input;  // its name, in place of its rank
  bool has_mode = false, has_format = false;
  bool dynamic = false;
  int64_t most_bytes = 0;  // dynamic: of all images of a call
  model::Aipp aipp;        // static
  Location where;          // tells its place in the configuration
};

// `aipp_op { key: value ... }`, repeated; # begins a comment. Errors: E10001 with line and column,
// a key or value that does not exist, what is not there (resize, rotation), no mode, no format of
// static AIPP, or settings of dynamic AIPP, which programs give by aclmdlSetInputAIPP.
Result<std::vector<AippOp>> parse_aipp(std::string_view text, const std::string& file);

// What was put in front of an input. REQUIRES of a model: made of the graph.
struct InsertedAipp {
  std::string input, settings;  // names; settings: of dynamic AIPP
  model::AippInput kept;        // without the numbers of inputs
};
void keep(std::vector<InsertedAipp> inserted, model::OfflineModel& model);

// Static: the input becomes an image of uint8, [N, H, W, C] or, of YUV420SP_U8, [N, H * 3 / 2, W,
// 1]. Dynamic: it becomes bytes, and the model has one more input, for the settings
// (model::AippRow). Operators in front of the model's make of it what the model takes.
// `input_fp16_nodes` is the text of that flag, which excludes AIPP for the same input. Errors:
// E10001, an input that is no image, an image that does not become one of its dims, dynamic AIPP,
// crop, padding or a size in a model with gears of image sizes, or an input that is to be taken as
// float16.
Result<std::vector<InsertedAipp>> insert_aipp(graph::Graph& graph, const std::vector<AippOp>& all,
                                              model::GearKind gears,
                                              const std::string& input_fp16_nodes = {});

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_AIPP_H_
