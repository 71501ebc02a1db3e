#include "opkit/rewrite/match/commutative.h"

#include <set>

namespace opkit::match {

bool is_commutative(const std::string& op_type) {
  static const std::set<std::string> kCommutative = {
      "Add",   "Mul",        "Max",       "Min",        "And", "Or",  "Xor",
      "Equal", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Sum", "Mean"};
  return kCommutative.count(op_type) > 0;
}

}  // namespace opkit::match
