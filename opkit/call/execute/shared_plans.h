// SharedPlans: plans of one op by what they were made of, as long as somebody holds them. Models
// call the same op with the same shapes many times.
#ifndef OPKIT_CALL_EXECUTE_SHARED_PLANS_H_
#define OPKIT_CALL_EXECUTE_SHARED_PLANS_H_

#include <memory>
#include <string>
#include <unordered_map>

#include "opkit/call/plan/call_plan.h"

namespace opkit {

class SharedPlans {
 public:
  // Names everything that a plan depends on: chip, types, formats, shapes, attributes, and the
  // elements that its host functions read. Names of tensors are left out.
  static std::string key_of(const std::string& soc, const CallFacts& facts);

  // Null: nobody holds such a plan.
  std::shared_ptr<const CallPlan> find(const std::string& key) const;
  void add(const std::string& key, const std::shared_ptr<const CallPlan>& plan);

 private:
  std::unordered_map<std::string, std::weak_ptr<const CallPlan>> plans_;
  size_t most_ = 64;  // more of them, and those that nobody holds are forgotten
};

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_SHARED_PLANS_H_
