// PartsOfOne: a value that exists whole, and others that are its parts along an axis; what is
// computed alike on all parts can be computed on the whole. Private to this folder.
#ifndef OPKIT_REWRITE_VARIANTS_PARTS_OF_ONE_H_
#define OPKIT_REWRITE_VARIANTS_PARTS_OF_ONE_H_

#include <set>
#include <string>
#include <vector>

#include "opkit/rewrite/passes/readers.h"

namespace opkit::variants {

struct JoinedValue {
  std::string name;
  std::vector<std::string> parts;  // keep their order along the axis
};

class PartsOfOne {
 public:
  // `readers` are those of `before`, which stays as it is; nodes are added to `graph`, a copy of
  // it.
  PartsOfOne(const graph::Graph& before, const passes::Readers& readers, graph::Graph& graph,
             size_t axis)
      : before_(before), readers_(readers), graph_(graph), axis_(axis) {}

  // Adds a whole of parts that `sources` define. REQUIRES: parts differ in the axis alone.
  void add(JoinedValue whole, const std::vector<size_t>& sources);
  // Computes on wholes what is element-wise and alike on all of their parts, as far as that goes.
  void lift();
  // Splits wholes whose parts something else reads, and takes the nodes away that became one.
  void finish();

 private:
  bool lift_reader(size_t first);
  std::vector<size_t> counterparts(size_t first) const;
  const JoinedValue* whole_of(const std::string& first_part) const;
  bool same_place(const std::string& operand, const std::string& first, size_t part) const;
  bool join_operand(const std::vector<size_t>& nodes, size_t operand, graph::Node& joined);
  bool join_constants(const std::vector<size_t>& nodes, size_t operand, graph::Node& joined);
  bool is_needed(const JoinedValue& whole) const;
  void split(const JoinedValue& whole);

  const graph::Graph& before_;
  const passes::Readers& readers_;
  graph::Graph& graph_;
  const size_t axis_;
  std::vector<JoinedValue> wholes_;
  std::set<size_t> gone_;  // nodes of `before`
};

}  // namespace opkit::variants

#endif  // OPKIT_REWRITE_VARIANTS_PARTS_OF_ONE_H_
