// The int8 model beside the float one: how far its outputs are, and whether they say the same
// class.
#ifndef OPKIT_QUANTIZE_CHECK_MODEL_H_
#define OPKIT_QUANTIZE_CHECK_MODEL_H_

#include <map>
#include <string>

#include "opkit/quantize/calibrate.h"
#include "opkit/quantize/distance.h"

namespace opkit::quantize {

struct CheckedModel {
  std::map<std::string, Distance> outputs;
  std::map<std::string, Agreement> scores;  // compares outputs that hold scores
  size_t samples = 0;
};

// Evaluates both on the first `samples` samples. Errors: those of the interpreter.
Result<CheckedModel> check_model(const Walk& model, const Walk& other, const Samples& samples,
                                 size_t most, unsigned threads, const Advance& advance);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_CHECK_MODEL_H_
