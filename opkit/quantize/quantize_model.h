// A model with QuantizeLinear and DequantizeLinear around what int8 computes.
#ifndef OPKIT_QUANTIZE_QUANTIZE_MODEL_H_
#define OPKIT_QUANTIZE_QUANTIZE_MODEL_H_

#include <string>
#include <vector>

#include "opkit/quantize/calibrate.h"
#include "opkit/quantize/layers.h"
#include "opkit/quantize/record.h"
#include "opkit/quantize/weights.h"

namespace opkit::quantize {

// How a value is stored in int8: real = (stored - zero) * scale.
struct Scale {
  double scale = 1;
  int64_t zero = 0;
};

// What a layer, or a value between layers, is quantized with.
struct QuantizedLayer {
  Layer layer;
  LayerOptions options;
  Scale data;
  Int8Weights weights;
  ValueRange range;    // is the range of the data, as it was seen; of a record what its scale holds
  double clipped = 0;  // share of the data beyond the scale's reach
};

struct Int8Model {
  std::vector<QuantizedLayer> layers;
  std::vector<LeftOut> left_out;  // those that were skipped, too
  Int8Region region;
  std::map<std::string, Scale> scales;  // holds the scale of every quantized value
};

Scale scale_of(const ValueRange& range, bool asymmetric);

// Which values must be watched for these options. Errors: OPK-QUANT-004 every layer is skipped;
// OPK-QUANT-006 layers that read one value want it quantized in different ways.
struct QuantizeWish {
  std::vector<Layer> layers;
  std::vector<LeftOut> left_out;
  Int8Region region;
};
Result<QuantizeWish> wish_of(const Walk& walk, Layers found, const QuantizeOptions& options);

// Returns the scales that ranges on data come to.
Int8Model from_data(const QuantizeWish& wish, const SeenValues& seen,
                    const QuantizeOptions& options);
// Returns the scales of a record. Layers that it does not name stay float. Errors: OPK-QUANT-008 it
// is of another model: a layer or a tensor that it has not, a tensor that is no float32, other
// numbers of channels, no layer at all.
Result<Int8Model> from_record(const Walk& walk, Layers found,
                              const std::vector<RecordEntry>& record);

std::vector<RecordEntry> record_of(const Int8Model& quantization);

// Returns the model's bytes with these scales. `bytes`: those that the walk's graph was read from.
Result<std::string> written_model(std::string_view bytes, const Walk& walk,
                                  const Int8Model& quantization);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_QUANTIZE_MODEL_H_
