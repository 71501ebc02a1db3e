#ifndef OPKIT_CONTRACT_EXPR_TYPE_H_
#define OPKIT_CONTRACT_EXPR_TYPE_H_

namespace opkit {

// Says what an expression or a part of one gives.
enum class ExprType { kNumber, kTruth, kList };

}  // namespace opkit

#endif  // OPKIT_CONTRACT_EXPR_TYPE_H_
