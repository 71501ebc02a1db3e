// Operators that AIPP puts in front of a model's own. Private to this folder.
#ifndef OPKIT_ATC_COMPILE_AIPP_NODES_H_
#define OPKIT_ATC_COMPILE_AIPP_NODES_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/atc/compile/aipp.h"

namespace opkit::compile {

class AippNodes {
 public:
  // Takes the model's nodes out of the graph until hand_over gives them back. Borrows the graph.
  AippNodes(graph::Graph& graph, std::string input);

  const std::string& input() const { return input_; }
  graph::Graph& graph() { return graph_; }
  // The input takes uint8 from now on.
  void take_bytes(Shape shape);

  // Names of values; they are the inputs of further ones.
  std::string constant(DType dtype, Shape shape, const std::vector<double>& values);
  std::string integers(const std::vector<int64_t>& values);
  std::string number(double value);  // float32
  std::string add(const std::string& op, const std::vector<std::string>& inputs,
                  std::map<std::string, graph::Attribute> attributes = {});
  std::string cast(const std::string& value, DType to);
  std::string reshape(const std::string& value, const std::vector<int64_t>& dims);
  std::string slice(const std::string& value, const std::vector<int64_t>& begin,
                    const std::vector<int64_t>& end, const std::vector<int64_t>& axes);

  // The model's nodes stand behind, and read `value`, of float32, as what the input was.
  Status hand_over(std::string value, DType dtype);

 private:
  std::string fresh();
  bool is_defined(const std::string& name) const;

  graph::Graph& graph_;
  std::string input_;
  std::vector<graph::Node> rest_;
  size_t count_ = 0;
};

// Returns what an aipp_op says of an input, [N, C, H, W].
Error wrong_aipp(const AippOp& op, const std::string& what, std::string action);
Status insert_static(AippNodes& nodes, const AippOp& op, const Shape& dims, DType dtype,
                     model::AippInput& kept);
// Returns the name of the input for the settings.
Result<std::string> insert_dynamic(AippNodes& nodes, const AippOp& op, const Shape& dims,
                                   DType dtype);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_AIPP_NODES_H_
