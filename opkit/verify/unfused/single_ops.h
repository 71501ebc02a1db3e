// Where single-op plugins come from: ops whose reference is one operator.
#ifndef OPKIT_VERIFY_UNFUSED_SINGLE_OPS_H_
#define OPKIT_VERIFY_UNFUSED_SINGLE_OPS_H_

#include <map>
#include <memory>
#include <string>

#include "opkit/call/execute/executor.h"
#include "registry/registry.h"

namespace opkit::verify {

struct UnfusedOp {
  const OpContract* contract = nullptr;
  Executor* executor = nullptr;
  std::string name;  // "Relu 1.0.0 of opkit"
};

class SingleOps {
 public:
  virtual ~SingleOps() = default;
  // What computes the ONNX operator by itself, at least in some calls; nullptr: nothing does.
  virtual const UnfusedOp* find(const std::string& op_type) = 0;
};

// Installed ops whose op type is the operator's name.
class RegistryOps : public SingleOps {
 public:
  explicit RegistryOps(const registry::Registry& registry);
  ~RegistryOps() override;
  const UnfusedOp* find(const std::string& op_type) override;

 private:
  struct Loaded;
  const registry::Registry& registry_;
  std::map<std::string, std::unique_ptr<Loaded>> loaded_;  // null: there is none
};

// Whether the op's reference is one node of that type. Which calls it computes, single_call() says.
bool computes_only(const OpContract& contract, const std::string& op_type);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_UNFUSED_SINGLE_OPS_H_
