// OracleInParts: the oracle of a call whose tensors are too many to be evaluated at once. Intervals
// take some thirty bytes for each element of each node; a part takes no more than its own.
#ifndef OPKIT_ORACLE_ORACLE_IN_PARTS_H_
#define OPKIT_ORACLE_ORACLE_IN_PARTS_H_

#include "opkit/oracle/cut.h"
#include "opkit/oracle/evaluate_bounded.h"
#include "opkit/oracle/section.h"

namespace opkit::oracle {

class OracleInParts {
 public:
  // Cuts a call. Of the inputs of `call` only those are read whose values the host reads. At most
  // `most` elements of any tensor in a part, or one row of at most eight times as many. Errors:
  // OPK-VERIFY-001, -014 a reference that needs its operands whole.
  static Result<OracleInParts> of(OracleCall call, int64_t most);

  int64_t parts() const { return (cut_.extent + step_ - 1) / step_; }
  // Returns what the reference computes for a tensor of an output; its own dtype and shape.
  const graph::ValueInfo& value(size_t port, size_t tensor) const;
  // Returns where a part of that tensor lies in it.
  Section section(size_t port, size_t tensor, int64_t part) const;
  size_t tensors(size_t port) const { return lowered_.outputs[port].size(); }
  // Returns the outputs per port of the part, from the call's inputs. May be asked by many threads.
  // Errors: the interpreter's.
  Result<std::vector<std::vector<Bounded>>> evaluate(const std::vector<std::vector<Tensor>>& inputs,
                                                     int64_t part) const;

 private:
  Section section_of(const std::string& name, const Shape& shape, int64_t part) const;
  LoweredReference lowered_of(int64_t part) const;

  OracleCall call_;  // without inputs
  LoweredReference lowered_;
  Cut cut_;
  int64_t step_ = 1;  // counts elements of the cut axis in one part
};

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_ORACLE_IN_PARTS_H_
