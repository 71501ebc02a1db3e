// op_proto.h: a class for every installed op that all_ops.h has none of, for programs that build
// graphs.
#ifndef OPKIT_BUILD_PROJECT_OP_PROTO_H_
#define OPKIT_BUILD_PROJECT_OP_PROTO_H_

#include <string>
#include <vector>

#include "opkit/contract/op_contract.h"

namespace opkit::project {

// ge::op::<Op> with set_input_<port>, set_attr_<attribute> and their like, as all_ops.h makes them
// of its own operators. A contract whose op has a class in all_ops.h is left out: that class has
// the vendor's ports, and programs reach the op through it.
std::string op_proto_header(const std::vector<OpContract>& contracts);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_OP_PROTO_H_
