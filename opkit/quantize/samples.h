// Samples: data for a model's inputs, from .npy and .npz files.
//
// An array that has the dims of its input is one sample. One with an additional first dim is as
// many samples as that says; so is one whose first dim is a multiple of the input's.
#ifndef OPKIT_QUANTIZE_SAMPLES_H_
#define OPKIT_QUANTIZE_SAMPLES_H_

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/graph/graph.h"
#include "opkit/reference/evaluate.h"

namespace opkit::quantize {

// What the data must fit: an input of the model.
struct Wanted {
  std::string name;
  DType dtype = DType::kFloat32;
  Shape shape;
};

// Arrays as the files have them; what is named like no input is refused.
class Samples {
 public:
  // An array, the input that it is for, and where it comes from.
  struct NamedArray {
    std::string input, file;
    Tensor tensor;
  };
  // Takes arrays that were made elsewhere. REQUIRES: there is one at least.
  static Samples of(std::vector<NamedArray> arrays);
  // Loads `path`: a .npy (of a model with one input), a .npz whose members are named like the
  // inputs, or a folder of these, taken in the order of their names. Errors: OPK-QUANT-001 there is
  // nothing; those of the files; OPK-QUANT-002 an array of no input, or another type.
  static Result<Samples> load(const std::filesystem::path& path,
                              const std::vector<std::string>& inputs);

  // Splits arrays into samples. Errors: OPK-QUANT-002 dims that fit no input, inputs without data,
  // or with unequal numbers of samples; OPK-QUANT-003 a NaN or an infinity, with its place.
  Status fit(const std::vector<Wanted>& inputs);
  // Dims of an input whose dims are open in part, as the first array has them; a first dim that is
  // open is 1 where the array has as many dims. Nothing where the array does not fit.
  std::optional<Shape> close(const std::string& input, const std::vector<int64_t>& dims) const;

  size_t count() const { return count_; }
  void limit(size_t most) { count_ = std::min(count_, most); }
  // Returns the inputs of sample i, in the order of `fit`. REQUIRES: fit.
  Result<std::vector<Tensor>> tensors(size_t i) const;
  Result<reference::NamedTensors> named(size_t i) const;

 private:
  struct Part {
    size_t array;
    int64_t first;  // element
  };
  Status add(const std::filesystem::path& file, const std::vector<std::string>& inputs);
  Status add(Tensor tensor, const std::string& file, const std::vector<std::string>& inputs,
             bool named);
  Status fit(const Wanted& input, std::vector<Part>& parts);

  std::vector<NamedArray> arrays_;
  std::vector<Wanted> wanted_;
  std::vector<std::vector<Part>> parts_;  // holds the parts of each input
  size_t count_ = 0;
};

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_SAMPLES_H_
