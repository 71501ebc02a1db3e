// Expressions: what a value of a graph is, as a number: equal numbers are equal computations.
// Private to this folder.
#ifndef OPKIT_REWRITE_MATCH_EXPRESSIONS_H_
#define OPKIT_REWRITE_MATCH_EXPRESSIONS_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::match {

class Expressions {
 public:
  // Returns the number of a value. `leaves` names values that are taken as they are.
  size_t of(const graph::Graph& graph, const std::map<std::string, std::string>& leaves,
            const std::string& value);
  // Returns the computation of a number, one level deep: "LeakyRelu {alpha=0.2}".
  const std::string& text(size_t number) const { return texts_[number]; }
  const std::vector<size_t>& operands(size_t number) const { return operands_[number]; }

 private:
  size_t number(std::string key, std::string text, std::vector<size_t> operands);
  size_t of_constant(const graph::RefTensor& tensor, bool any_rank);

  std::map<std::string, size_t> numbers_;
  std::vector<std::string> texts_;
  std::vector<std::vector<size_t>> operands_;
};

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_EXPRESSIONS_H_
