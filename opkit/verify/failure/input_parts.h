// The parts of a call's inputs that a wrong element is computed from, as far as names and sizes of
// dims tell: what a report shows beside the element.
#ifndef OPKIT_VERIFY_FAILURE_INPUT_PARTS_H_
#define OPKIT_VERIFY_FAILURE_INPUT_PARTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/json.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// Elements of one input, one behind the other along one axis.
struct InputPart {
  std::string input;
  std::vector<int64_t> dims;
  // Holds the index of the first element shown, and the axis along which the others follow;
  // without elements both are empty.
  std::vector<int64_t> first;
  std::optional<size_t> axis;
  std::vector<double> values;
  // Holds the place in `values` of the element with the output's index; absent: a row feeds it.
  std::optional<size_t> own;
};

// Says which output element is meant.
struct WrongPlace {
  size_t port = 0, tensor = 0;
  const oracle::Comparison* comparison = nullptr;
  const oracle::WrongElement* element = nullptr;  // the worst one
};

// Finds the first output with a wrong element. The place borrows the result.
std::optional<WrongPlace> wrong_place(const OpContract& contract, const ProblemResult& failed);

// Returns a part of each input tensor, of at most a dozen elements. An input dim whose name the
// output's shape has, too, takes the output's index there; one without a name in common follows as
// ONNX broadcasts, where sizes permit; along the last of the others a row is shown, from its
// beginning. Nothing when no element is wrong, or when the inputs cannot be made again.
std::vector<InputPart> input_parts(const OpContract& contract, const ProblemResult& failed);

// "x[3, 0..11] = 1, 2, ..." in one line.
std::string to_text(const InputPart& part);
Json as_json(const InputPart& part);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_FAILURE_INPUT_PARTS_H_
