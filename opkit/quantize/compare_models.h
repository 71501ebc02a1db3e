// Two models of one network on the same data: every inner tensor of both, and where error arises.
#ifndef OPKIT_QUANTIZE_COMPARE_MODELS_H_
#define OPKIT_QUANTIZE_COMPARE_MODELS_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/quantize/calibrate.h"
#include "opkit/quantize/distance.h"
#include "opkit/quantize/walk.h"

namespace opkit::quantize {

// A value of a model and the node that gives it.
struct ValuePlace {
  std::string value, node, op_type;
  std::vector<int64_t> dims;
};
// Looks at a value where it arises.
using LookAtPlace = std::function<Status(const ValuePlace& place, const graph::RefTensor& tensor)>;

// One of the two models.
struct ModelSide {
  std::function<Status(size_t sample, const LookAtPlace& look)> run;
  const Walk* walk = nullptr;  // null: a model that runs only as a whole
  std::vector<std::string> outputs;
};
ModelSide side_of(const Walk& walk, const Samples& samples);

// How a value of one model was found in the other one.
enum class Matched : uint8_t { kByName, kByPlace };

struct ComparedValue {
  ValuePlace a, b;
  Matched matched = Matched::kByName;
  Distance carried;               // includes all that came before
  std::optional<Distance> added;  // where both models compute it of the same values
  // The share of what is rounded to int8 or float16 on the way that lies at the ends of the range.
  double saturated = 0;

  // Returns the error that arises here, as a share of the value's size; 0 where nobody can tell.
  double added_share() const { return added ? added->relative() : 0; }
};

struct ModelComparison {
  std::vector<ComparedValue> values;  // keeps the order of the second model
  size_t only_a = 0, only_b = 0;      // values without a partner
  std::map<std::string, Agreement> scores;
  std::vector<std::string> outputs;  // those that were found in both
  size_t samples = 0;

  // Numbers of values whose error is added there, the largest first.
  std::vector<size_t> ranking() const;
  const ComparedValue* find(const std::string& value) const;
};

struct InnerCompareOptions {
  bool added = true;                         // evaluate every piece by itself, too
  std::vector<std::vector<int64_t>> labels;  // holds the labels of each sample; empty: none
  LookAtPlace dump_a, dump_b;                // may be empty
  std::function<void(size_t)> begin_sample;  // may be empty
};

// Errors: OPK-QUANT-011 the models have no value in common; OPK-QUANT-012 values of one name with
// other numbers of elements; OPK-QUANT-013 labels that no output has rows or classes for; those of
// the runs.
Result<ModelComparison> compare_models(const ModelSide& a, const ModelSide& b, size_t samples,
                                       const InnerCompareOptions& options, const Advance& advance);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_COMPARE_MODELS_H_
