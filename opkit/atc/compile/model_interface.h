// Flags that change what a model takes and gives, or what it says of that: --out_nodes,
// --output_type, --input_fp16_nodes, --input_format.
#ifndef OPKIT_ATC_COMPILE_MODEL_INTERFACE_H_
#define OPKIT_ATC_COMPILE_MODEL_INTERFACE_H_

#include <string>

#include "opkit/graph/graph.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::compile {

// As the user wrote them; an empty one changes nothing.
struct InterfaceFlags {
  // "conv5:0;fc:1", nodes by name and the number of their output, or "logits", values by name: they
  // are the model's outputs, in this order.
  std::string out_nodes = {};
  // "FP16" of every output, or "fc:0:FP16;logits:UINT8" of single ones: FP32, FP16, DOUBLE, UINT8
  // to UINT64, INT8 to INT64.
  std::string output_type = {};
  // "data;mask": inputs of floats that are taken as float16.
  std::string input_fp16_nodes = {};
};

// The graph is one that a front end made; what is known of its values stays known. Values keep the
// names of what they are cast to or from. Error: E10001 for the flag, with what there is.
Status change_interface(graph::Graph& graph, const InterfaceFlags& flags);

// What programs are told of the inputs' axes, which changes no bytes: images of static AIPP are
// NHWC; of the others those of four dims are NCHW where `input_format` is "NCHW"; the rest is ND.
// REQUIRES: the model knows its inputs with AIPP.
void state_input_formats(model::OfflineModel& model, const std::string& input_format);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_MODEL_INTERFACE_H_
