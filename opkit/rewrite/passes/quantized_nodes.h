// What the parts of quantized_form share. Private to them.
#ifndef OPKIT_REWRITE_PASSES_QUANTIZED_NODES_H_
#define OPKIT_REWRITE_PASSES_QUANTIZED_NODES_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/rewrite/passes/readers.h"
#include "opkit/rewrite/passes/steps.h"

namespace opkit::passes {

// A model with its index.
struct QuantizedModel {
  const graph::Graph& graph;
  const Readers readers;

  explicit QuantizedModel(const graph::Graph& of) : graph(of), readers(of) {}
  // Null: an input or a constant.
  const graph::Node* definition(const std::string& value) const;
  // Returns the node that alone reads a value, which is no output; null: there is none.
  const graph::Node* only_reader(const std::string& value) const;
};

// Whole numbers of int8 behind a DequantizeLinear with one scale.
struct Whole {
  std::string value;
  double scale = 1, zero = 0;
};
// Returns nothing when the value is something else, or a constant.
std::optional<Whole> whole_of(const QuantizedModel& model, const std::string& value);

// Weights of int8 without zero points, with a scale for all or one for each position of an axis.
struct Weights {
  const graph::RefTensor* numbers = nullptr;
  std::vector<double> scale;
  int64_t axis = 0;
};
// Says in `why` what keeps the value from being that.
std::optional<Weights> weights_of(const QuantizedModel& model, const std::string& value,
                                  std::string& why);

// Returns the elements of a constant, or of one behind a DequantizeLinear. Nothing: it is computed.
std::optional<std::vector<double>> floats_of(const QuantizedModel& model, const std::string& value);

// What follows a value up to whole numbers again, or up to the first float16.
struct Tail {
  std::string activation;   // names the operator, or is empty
  std::string approximate;  // says which Gelu it is, where it is one
  std::string result;       // names the result of the QuantizeLinear, or the float16
  double scale = 1, zero = 0;
  bool is_half = false;

  // Floats between the activation and the last rounding cannot be scaled before it.
  bool bends() const { return !is_half && !activation.empty() && activation != "Relu"; }
  // Returns the attributes of the activation's node.
  std::map<std::string, graph::Attribute> attributes() const;
};
// Returns what follows, where one of `activations` may stand. Says in `why` what stands there
// instead.
std::optional<Tail> tail_of(const QuantizedModel& model, const std::string& value,
                            const std::vector<std::string>& activations, std::string& why);

// The tail of a value that nothing quantises: the float16 that a model gives in its place when its
// nodes compute in float16.
Tail half_tail_of(const QuantizedModel& model, const std::string& value,
                  const std::vector<std::string>& activations);

// Adds nodes of whole numbers to a form, under names that the model does not have.
class WholeNodes {
 public:
  WholeNodes(const QuantizedModel& model, graph::Graph& graph, std::string stem)
      : model_(model), graph_(graph), stem_(std::move(stem) + "/whole/") {}

  std::string add(const std::string& op_type, std::vector<std::string> inputs,
                  const std::string& what, std::map<std::string, graph::Attribute> attributes = {});
  std::string constant(const std::string& what, graph::RefTensor tensor);
  std::string number(const std::string& what, double value);
  std::string list(const std::string& what, const std::vector<int64_t>& values);
  std::string floats(const std::string& from, const std::string& what);

  // Rounds, adds the zero point and saturates to the tail's result; or rounds to its float16.
  void finish(std::string value, const Tail& tail);

 private:
  std::string named(const std::string& what) const;

  const QuantizedModel& model_;
  graph::Graph& graph_;
  const std::string stem_;
};

// A node in whole numbers. Nothing: it is none of those that can be. A reason: it stays in floats.
struct Lowered {
  bool done = false;
  std::string why;
};
std::optional<Lowered> lower_conv(const QuantizedModel& model, const graph::Node& node,
                                  graph::Graph& form);
std::optional<Lowered> lower_product(const QuantizedModel& model, const graph::Node& node,
                                     graph::Graph& form);
std::optional<Lowered> lower_sum(const QuantizedModel& model, const graph::Node& node,
                                 graph::Graph& form);
std::optional<Lowered> lower_rescaling(const QuantizedModel& model, const graph::Node& node,
                                       graph::Graph& form);

// What the sums of a product become: the int32 that are added, and the factors.
struct Finish {
  std::vector<double> bias, scale;
  double factor = 1;  // behind an activation that bends
};
// Sums of products of whole numbers: `inside` is the sum of the weights of each channel.
std::optional<Finish> finish_of(const Whole& x, const Weights& w, const Tail& tail,
                                const std::vector<double>& bias, const std::vector<double>& inside,
                                std::string& why);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_QUANTIZED_NODES_H_
