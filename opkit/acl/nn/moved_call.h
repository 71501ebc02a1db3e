// MovedCall: a call on copies of its tensors' memory.
#ifndef OPKIT_ACL_NN_MOVED_CALL_H_
#define OPKIT_ACL_NN_MOVED_CALL_H_

#include <memory>
#include <vector>

#include "opkit/acl/device/device_scratch.h"
#include "opkit/acl/nn/nn_executor.h"

namespace opkit::acl {

// Returns a tensor's elements as the model's author sees them.
Tensor elements_of(const aclTensor& tensor, const StorageLayout& layout);
std::vector<std::vector<Tensor>> elements_of(const std::vector<NnPort>& ports,
                                             const std::vector<PortLayouts>& layouts);

// Views, overlaps of tensors and places within 512 bytes stay as they are.
class MovedCall {
 public:
  // Null: the device has no memory for the copies. Errors: check()'s.
  static Result<std::unique_ptr<MovedCall>> of(EmulatedDevice& device, const aclOpExecutor& call);

  const aclOpExecutor& call() const { return call_; }
  const DeviceScratch& workspace() const { return *workspace_; }

 private:
  // Bytes that tensors of the call share or that lie side by side.
  struct Stretch {
    std::byte* from = nullptr;
    std::byte* to = nullptr;
    std::unique_ptr<DeviceScratch> room;
    std::byte* copy = nullptr;
  };

  MovedCall(EmulatedDevice& device, const aclOpExecutor& call);
  void find(const std::vector<NnPort>& ports, const std::vector<PortLayouts>& layouts);
  void join();
  bool copy();
  void move(std::vector<NnPort>& ports) const;

  EmulatedDevice& device_;
  aclOpExecutor call_;
  std::vector<Stretch> stretches_;  // is sorted by address
  std::unique_ptr<DeviceScratch> workspace_;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_MOVED_CALL_H_
