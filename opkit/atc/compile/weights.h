// The weights of an offline model: constants as they lie in device memory. Private to this folder.
#ifndef OPKIT_ATC_COMPILE_WEIGHTS_H_
#define OPKIT_ATC_COMPILE_WEIGHTS_H_

#include "opkit/graph/ref_tensor.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::compile {

// Returns the bytes that a tensor of so many takes in memory: a kernel may read what lies behind
// it, and the next one starts at a multiple of 512.
uint64_t room_for(uint64_t bytes);

// Adds the constant to the model's weights, laid out in the format, and returns its tensor. A dense
// one whose elements are equal is kept as one element.
Result<model::ModelTensor> add_weight(model::OfflineModel& model, const std::string& name,
                                      const graph::RefTensor& constant, Format format);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_WEIGHTS_H_
