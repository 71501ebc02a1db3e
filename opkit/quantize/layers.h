// Which nodes of a model are layers that int8 computes, with their weights, and which values
// between them are quantized.
#ifndef OPKIT_QUANTIZE_LAYERS_H_
#define OPKIT_QUANTIZE_LAYERS_H_

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "opkit/quantize/options.h"
#include "opkit/quantize/walk.h"

namespace opkit::quantize {

inline constexpr size_t kNoNode = std::numeric_limits<size_t>::max();

// A Conv, Gemm or MatMul with constant weights.
struct Layer {
  std::string name, op_type;
  size_t node = kNoNode;
  std::string data, result;  // what it reads, and what it gives with what was folded into it
  size_t axis = 0;           // dim of the weights that counts channels
  bool per_channel = true;   // false: one scale for all weights
  graph::RefTensor weights;
  std::optional<graph::RefTensor> bias;
  size_t norm = kNoNode;  // the BatchNormalization behind it that its weights take in
  size_t sum = kNoNode;   // the Add behind a MatMul that adds the bias
};

// A node that int8 could be thought to compute, and why it does not.
struct LeftOut {
  std::string name, op_type, why;
};

struct Layers {
  std::vector<Layer> layers;
  std::vector<LeftOut> left_out;

  std::vector<std::string> names() const;  // returns the names of layers
};

// Finds the layers. `of_file`: first results of the nodes that the file itself holds. Errors:
// OPK-QUANT-009 the model is quantized already, or has a branch; OPK-QUANT-004 it has no layer.
Result<Layers> find_layers(const Walk& walk, const std::set<std::string>& of_file);

// The values that are quantized, and who reads them quantized.
struct Int8Region {
  std::map<std::string, size_t> values;  // each with its group: a group has one scale
  std::vector<size_t> between;           // nodes that compute in int8 between layers
  size_t groups = 0;
};

// REQUIRES: those of `layers` that are skipped are left out of it.
Int8Region find_region(const Walk& walk, const std::vector<Layer>& layers, Between between);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_LAYERS_H_
