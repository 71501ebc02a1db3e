// Installed ops as single ops: those whose reference is one operator.
#ifndef OPKIT_VERIFY_SINGLE_REGISTRY_OPS_H_
#define OPKIT_VERIFY_SINGLE_REGISTRY_OPS_H_

#include <map>
#include <memory>
#include <string>

#include "opkit/verify/single/single_call.h"
#include "registry/registry.h"

namespace opkit::verify {

// Installed ops whose op type is the operator's name.
class RegistryOps : public MatchedOps {
 public:
  explicit RegistryOps(const registry::Registry& registry);
  ~RegistryOps() override;
  const UnfusedOp* find(const std::string& op_type) override;

 private:
  struct Loaded;
  const registry::Registry& registry_;
  std::map<std::string, std::unique_ptr<Loaded>> loaded_;  // null: there is none
};

// Tells whether the op's reference is one node of that type. Which calls it computes, single_call()
// says.
bool computes_only(const OpContract& contract, const std::string& op_type);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_SINGLE_REGISTRY_OPS_H_
