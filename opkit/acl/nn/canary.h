// Canary: a newer version of an op, on trial beside the one that has served the program. It serves
// once a call of both has shown that it may; a version that may not never serves this process.
#ifndef OPKIT_ACL_NN_CANARY_H_
#define OPKIT_ACL_NN_CANARY_H_

#include <memory>
#include <mutex>
#include <string>

#include "opkit/call/execute/opened_op.h"

namespace opkit::acl {

class Canary {
 public:
  enum class Verdict { kOpen, kPromoted, kRefused };

  Canary(std::shared_ptr<const OpenedOp> before, std::shared_ptr<const OpenedOp> now)
      : before_(std::move(before)), now_(std::move(now)) {}

  const std::shared_ptr<const OpenedOp>& now() const { return now_; }
  Verdict verdict() const;
  // The first verdict stays.
  void promote();
  // Says so, with the reason, on stderr.
  void refuse(const std::string& why);
  // Held by the one call that is judged; others run on the version before alone.
  std::unique_lock<std::mutex> judging() { return {judging_, std::try_to_lock}; }

 private:
  const std::shared_ptr<const OpenedOp> before_, now_;
  mutable std::mutex mutex_;
  std::mutex judging_;
  Verdict verdict_ = Verdict::kOpen;
};

// OPK-ACLNN-005 on stderr: `now` does not serve, `before` goes on.
void tell_refused(const registry::Package& now, const registry::Package& before,
                  const std::string& why);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_CANARY_H_
