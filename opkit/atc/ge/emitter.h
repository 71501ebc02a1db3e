// Emitter: one operator of a ge::Graph while it becomes ONNX nodes.
#ifndef OPKIT_ATC_GE_EMITTER_H_
#define OPKIT_ATC_GE_EMITTER_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/atc/ge/known.h"
#include "opkit/atc/ge/prototypes.h"
#include "opkit/graph/graph.h"

namespace opkit::ge_frontend {

// Error codes of the front end.
inline constexpr const char* kBadGraph = "OPK-GE-001";     // the graph as a whole
inline constexpr const char* kNoOperator = "OPK-GE-002";   // a type that the table does not have
inline constexpr const char* kBadOperator = "OPK-GE-003";  // its inputs, attributes, or a use of it

// The operator's inputs are known and its attributes checked: see check_operator.
class Emitter {
 public:
  // Takes values by port (`inputs`), those of a dynamic one in order; an absent optional one has
  // none.
  Emitter(graph::Graph& graph, const Prototype& prototype, const opkit_graph::OperatorData& op,
          std::string name, std::map<std::string, std::vector<std::string>> inputs, Known& known);

  const std::string& name() const { return name_; }
  const std::string& type() const { return op_.type; }
  // Returns the port's value; empty: absent.
  std::string in(const std::string& port) const;
  const std::vector<std::string>& all(const std::string& port) const { return inputs_.at(port); }

  // Attributes as they were set, or as the table has them.
  template <typename T>
  T get(const std::string& attribute) const {
    return std::get<T>(value_of(attribute));
  }
  int64_t integer(const std::string& name) const { return get<int64_t>(name); }
  double number(const std::string& name) const { return get<float>(name); }
  bool flag(const std::string& name) const { return get<bool>(name); }
  std::string text(const std::string& name) const { return get<std::string>(name); }
  std::vector<int64_t> list(const std::string& name) const {
    return get<std::vector<int64_t>>(name);
  }

  using Attributes = std::map<std::string, graph::Attribute>;
  // Returns a node with a result of its own, which is returned.
  std::string inner(const std::string& type, std::vector<std::string> inputs,
                    Attributes attributes = {});
  // The node that gives the operator's first output.
  Status result(const std::string& type, std::vector<std::string> inputs,
                Attributes attributes = {});
  // A node that gives all outputs of the operator.
  Status results(const std::string& type, std::vector<std::string> inputs, Attributes attributes,
                 size_t count);
  size_t results_made() const { return results_; }
  // Returns the dims of a port's value. Errors: of inference; OPK-GE-003 they depend on data.
  Result<Shape> dims(const std::string& port);
  // Returns the numbers of a port that must be a constant; none of an absent one. Error:
  // OPK-GE-003.
  Result<std::vector<int64_t>> numbers(const std::string& port);
  Result<int64_t> number_in(const std::string& port);  // reads one element
  // Returns a constant of int64; the dims are one, its length.
  std::string constant(const std::vector<int64_t>& values);
  // Returns a scalar of the element type of another value.
  std::string like(const std::string& value, double number);

  // Why the operator cannot be lowered.
  Error refuse(const std::string& why, const std::string& action) const;
  // Refuses what the attribute has unless it is `wanted`.
  Status only(const std::string& attribute, const AttrValue& wanted) const;

 private:
  const AttrValue& value_of(const std::string& attribute) const;
  std::string fresh();

  graph::Graph& graph_;
  const Prototype& prototype_;
  const opkit_graph::OperatorData& op_;
  std::string name_;
  std::map<std::string, std::vector<std::string>> inputs_;
  Known& known_;
  size_t made_ = 0;  // values of its own
  size_t results_ = 1;
};

// How an operator is said in ONNX.
using Rule = Status (*)(Emitter&);
using Rules = std::map<std::string, Rule>;
Rules elementwise_rules();
Rules window_rules();
Rules product_rules();
Rules row_rules();  // normalizations, softmax, reductions
Rules shape_rules();
Rules slice_rules();  // slices, splits, pads, resizing

}  // namespace opkit::ge_frontend

#endif  // OPKIT_ATC_GE_EMITTER_H_
