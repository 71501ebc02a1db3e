// Several tiling strategies for one op, tried in the order of their priority (lowest number first)
// until one is capable: REGISTER_OPS_TILING_TEMPLATE(Op, Class, priority), then
// TilingRegistry::GetInstance().DoTilingImpl(context).
#ifndef OPKIT_INCLUDE_TILING_BASE_TILING_TEMPLATES_REGISTRY_H_
#define OPKIT_INCLUDE_TILING_BASE_TILING_TEMPLATES_REGISTRY_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "opkit_host/registry.h"
#include "register/op_impl_registry.h"
#include "tiling_base/tiling_base.h"

namespace optiling {

// Belongs to the plugin, as the registry of ops does.
class TilingRegistry {
 public:
  using Factory = std::unique_ptr<TilingBaseClass> (*)(gert::TilingContext*);

  OPKIT_HOST_LOCAL static TilingRegistry& GetInstance() {
    static TilingRegistry instance;
    return instance;
  }

  // Adds a strategy; the one that registered first is tried first among those of the same priority.
  bool add(const std::string& type, int32_t priority, Factory factory) {
    strategies_[type].emplace(priority, factory);
    return true;
  }

  ge::graphStatus DoTilingImpl(gert::TilingContext* context) {
    for (const auto& strategy : strategies_[context->GetNodeType()]) {
      const ge::graphStatus status = strategy.second(context)->DoTiling();
      if (status != ge::GRAPH_PARAM_INVALID) return status;
    }
    OP_LOGE(context, "no tiling strategy of '%s' is capable", context->GetNodeType());
    return ge::GRAPH_FAILED;
  }
  // Only the strategies with these priorities, in this order.
  ge::graphStatus DoTilingImpl(gert::TilingContext* context,
                               const std::vector<int32_t>& priorities) {
    const auto& strategies = strategies_[context->GetNodeType()];
    for (const int32_t priority : priorities) {
      const auto range = strategies.equal_range(priority);
      for (auto strategy = range.first; strategy != range.second; ++strategy) {
        const ge::graphStatus status = strategy->second(context)->DoTiling();
        if (status != ge::GRAPH_PARAM_INVALID) return status;
      }
    }
    OP_LOGE(context, "no chosen tiling strategy of '%s' is capable", context->GetNodeType());
    return ge::GRAPH_FAILED;
  }

 private:
  std::map<std::string, std::multimap<int32_t, Factory>> strategies_;
};

}  // namespace optiling

// The names of the public repositories' namespaces.
namespace Ops {
namespace NN {
namespace Optiling {
using optiling::AiCoreParams;
using optiling::TilingBaseClass;
using optiling::TilingRegistry;
}  // namespace Optiling
}  // namespace NN
namespace Base {
using optiling::AiCoreParams;
using optiling::TilingBaseClass;
using optiling::TilingRegistry;
}  // namespace Base
namespace Math {
namespace OpTiling {
using optiling::AiCoreParams;
using optiling::TilingBaseClass;
using optiling::TilingRegistry;
}  // namespace OpTiling
}  // namespace Math
namespace Transformer {
namespace OpTiling {
using optiling::TilingRegistry;
}  // namespace OpTiling
}  // namespace Transformer
}  // namespace Ops

#define OPKIT_HOST_STRATEGY_JOIN_(a, b) a##b
#define OPKIT_HOST_STRATEGY_JOIN(a, b) OPKIT_HOST_STRATEGY_JOIN_(a, b)
#define OPKIT_HOST_STRATEGY(type, class_name, priority)                                       \
  [[maybe_unused]] static const bool OPKIT_HOST_STRATEGY_JOIN(opkit_strategy_, __COUNTER__) = \
      ::optiling::TilingRegistry::GetInstance().add(                                          \
          type, priority,                                                                     \
          [](gert::TilingContext* context) -> std::unique_ptr<::optiling::TilingBaseClass> {  \
            return std::unique_ptr<::optiling::TilingBaseClass>(new class_name(context));     \
          })

#define REGISTER_TILING_TEMPLATE(type, class_name, priority) \
  OPKIT_HOST_STRATEGY(type, class_name, priority)
#define REGISTER_OPS_TILING_TEMPLATE(type, class_name, priority) \
  OPKIT_HOST_STRATEGY(#type, class_name, priority)

#endif  // OPKIT_INCLUDE_TILING_BASE_TILING_TEMPLATES_REGISTRY_H_
