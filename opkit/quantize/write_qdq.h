// The edit that puts QuantizeLinear and DequantizeLinear into a model.
#ifndef OPKIT_QUANTIZE_WRITE_QDQ_H_
#define OPKIT_QUANTIZE_WRITE_QDQ_H_

#include "opkit/quantize/quantize_model.h"
#include "opkit/rewrite/onnx/edit_model.h"

namespace opkit::quantize {

onnx_frontend::ModelEdit qdq_edit(const Walk& walk, const Int8Model& quantization);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_WRITE_QDQ_H_
