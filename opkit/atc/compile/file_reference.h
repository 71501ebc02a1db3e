// What the model's file says that its outputs are: the graph as it was imported, evaluated by the
// interpreter in the file's own version of the operators, on data that is always the same.
#ifndef OPKIT_ATC_COMPILE_FILE_REFERENCE_H_
#define OPKIT_ATC_COMPILE_FILE_REFERENCE_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "opkit/atc/compile/compile.h"
#include "opkit/reference/evaluate.h"

namespace opkit::compile {

// Multiply-adds, or what takes as long, that the interpreter may be asked for without a flag: some
// five seconds.
inline constexpr double kMostInterpreted = 1e10;
// Integers are left out where they would need more than this part of what may be asked for.
inline constexpr double kIntegersShare = 4;

class FileReference {
 public:
  // Data sets: small integers, numbers between -1 and 1.
  static constexpr size_t kSets = 2;
  static constexpr size_t kDraws = 5;  // the rounded one, and four of noise
  using Tensors = std::vector<Tensor>;

  // Asks the interpreter for at most `limit`.
  explicit FileReference(const Compiled& compiled, double limit = kMostInterpreted);

  const std::array<Tensors, kSets>& inputs() const { return inputs_; }
  // Returns the model's outputs by name; null when there are none: missing() says why.
  const reference::NamedTensors* outputs(size_t set);
  const std::string& missing(size_t set) const { return missing_[set]; }
  int opset() const { return before_.opset; }
  double limit() const { return limit_; }
  const std::string& output(size_t number) const { return before_.outputs[number]; }
  // Returns how far an output moves, as a share of its largest element, when every result on the
  // way is rounded to its own type, which makes small ones 0; and when every result moves by a few
  // units in the last place of the types that compute: in a quantised model by as much as turns
  // some of the roundings to whole numbers. What decides between elements that are nearly equal
  // falls this way or that way, so that it is moved up to kDraws times, until it is `enough`.
  // Infinite when nobody can tell.
  double noise(size_t set, const std::string& output, double enough);
  // Returns one step of an output that stands for whole numbers, likewise; 0 for others.
  double step(size_t set, const std::string& output);
  // Returns the canonical form's distance from the file, likewise, without any kernel.
  double canonical_distance(size_t set, const std::string& output);
  // Nodes that compute in a type that cannot hold what they meet on this data: OPK-ATC-003.
  Errors overflows(size_t set);

 private:
  using Values = std::array<std::optional<reference::NamedTensors>, kSets>;
  double distance(const reference::NamedTensors* other, size_t set, const std::string& output);
  Result<reference::NamedTensors> evaluate(const graph::Graph& graph, size_t set, double noise = 0,
                                           uint32_t draw = 0) const;
  // Evaluates the file, where a branch refuses the dims on numbers that take the other one.
  Result<reference::NamedTensors> evaluate_file(size_t set);
  void give(size_t set, size_t input, const Tensor& tensor);
  const reference::NamedTensors& noisy(size_t set, size_t draw);
  const graph::Graph* canonical();

  const graph::Graph before_;
  const std::vector<Converted> converted_;
  const double limit_, unit_, work_;
  const bool refuses_;  // a branch does not fit the dims
  std::array<Tensors, kSets> inputs_;
  std::array<reference::NamedTensors, kSets> named_;
  Values outputs_, canonical_outputs_;
  std::array<std::vector<reference::NamedTensors>, kSets> noisy_;  // holds the values of each draw
  std::optional<graph::Graph> canonical_;
  std::array<std::string, kSets> missing_;
};

// Returns the farthest element, as a share of the largest one. An element that is not finite in
// `expected` counts nothing; one that is not finite in `got` alone is infinitely far.
double distance(const graph::RefTensor& expected, const Tensor& got);
double distance(const graph::RefTensor& expected, const graph::RefTensor& got);

// Returns the coarsest type in which a node of the graph or of a body computes.
DType coarsest_type(const Compiled& compiled);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_FILE_REFERENCE_H_
