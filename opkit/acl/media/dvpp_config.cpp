// What calls of image pre-processing are told beside pictures: regions, filters, borders, quality.
#include "opkit/acl/base/ask.h"
#include "opkit/acl/media/dvpp.h"
#include "opkit/acl/media/dvpp_rules.h"

namespace opkit::acl {
namespace {

template <typename Config, typename Value>
aclError set_config(HandleTable<Config>& all, Config* config, Value Config::*field, Value value) {
  return ask(all, config, [&](Config& found) {
    found.*field = value;
    return ACL_SUCCESS;
  });
}

template <typename Config, typename Value>
Value get_config(HandleTable<Config>& all, const Config* config, Value Config::*field) {
  return ask(all, config, Value{}, [&](const Config& found) { return found.*field; });
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT acldvppRoiConfig* acldvppCreateRoiConfig(uint32_t left, uint32_t right,
                                                          uint32_t top, uint32_t bottom) {
  return make(dvpp().regions, acldvppRoiConfig{left, right, top, bottom});
}
OPKIT_ACL_EXPORT aclError acldvppDestroyRoiConfig(acldvppRoiConfig* config) {
  return destroy(dvpp().regions, config);
}
OPKIT_ACL_EXPORT aclError acldvppSetRoiConfig(acldvppRoiConfig* config, uint32_t left,
                                              uint32_t right, uint32_t top, uint32_t bottom) {
  return ask(dvpp().regions, config, [&](acldvppRoiConfig& found) {
    found = {left, right, top, bottom};
    return ACL_SUCCESS;
  });
}
OPKIT_ACL_EXPORT aclError acldvppSetRoiConfigLeft(acldvppRoiConfig* config, uint32_t left) {
  return set_config(dvpp().regions, config, &acldvppRoiConfig::left, left);
}
OPKIT_ACL_EXPORT aclError acldvppSetRoiConfigRight(acldvppRoiConfig* config, uint32_t right) {
  return set_config(dvpp().regions, config, &acldvppRoiConfig::right, right);
}
OPKIT_ACL_EXPORT aclError acldvppSetRoiConfigTop(acldvppRoiConfig* config, uint32_t top) {
  return set_config(dvpp().regions, config, &acldvppRoiConfig::top, top);
}
OPKIT_ACL_EXPORT aclError acldvppSetRoiConfigBottom(acldvppRoiConfig* config, uint32_t bottom) {
  return set_config(dvpp().regions, config, &acldvppRoiConfig::bottom, bottom);
}

OPKIT_ACL_EXPORT acldvppResizeConfig* acldvppCreateResizeConfig(void) {
  return make(dvpp().resize_configs, acldvppResizeConfig{});
}
OPKIT_ACL_EXPORT aclError acldvppDestroyResizeConfig(acldvppResizeConfig* config) {
  return destroy(dvpp().resize_configs, config);
}
OPKIT_ACL_EXPORT aclError acldvppSetResizeConfigInterpolation(acldvppResizeConfig* config,
                                                              uint32_t interpolation) {
  return ask(dvpp().resize_configs, config, [&](acldvppResizeConfig& found) -> aclError {
    if (interpolation > 5)
      return fail(ACL_ERROR_INVALID_PARAM, "interpolation %u; 0 to 5 are possible", interpolation);
    found.interpolation = interpolation;
    return ACL_SUCCESS;
  });
}
OPKIT_ACL_EXPORT uint32_t acldvppGetResizeConfigInterpolation(const acldvppResizeConfig* config) {
  return get_config(dvpp().resize_configs, config, &acldvppResizeConfig::interpolation);
}

OPKIT_ACL_EXPORT acldvppBorderConfig* acldvppCreateBorderConfig(void) {
  return make(dvpp().border_configs, acldvppBorderConfig{});
}
OPKIT_ACL_EXPORT aclError acldvppDestroyBorderConfig(acldvppBorderConfig* config) {
  return destroy(dvpp().border_configs, config);
}
OPKIT_ACL_EXPORT aclError acldvppSetBorderConfigValue(acldvppBorderConfig* config, uint32_t index,
                                                      double value) {
  return ask(dvpp().border_configs, config, [&](acldvppBorderConfig& found) -> aclError {
    if (index >= found.values.size() || !(value >= 0 && value <= 255))
      return fail(ACL_ERROR_INVALID_PARAM,
                  "value %g of component %u: components are 0 to 3, values 0 to 255", value, index);
    found.values[index] = value;
    return ACL_SUCCESS;
  });
}
OPKIT_ACL_EXPORT aclError acldvppSetBorderConfigBorderType(acldvppBorderConfig* config,
                                                           acldvppBorderType type) {
  return ask(dvpp().border_configs, config, [&](acldvppBorderConfig& found) -> aclError {
    if (type < BORDER_CONSTANT || type > BORDER_REFLECT_101)
      return fail(ACL_ERROR_INVALID_PARAM, "border of type %d; 0 to 3 are possible",
                  static_cast<int>(type));
    found.type = type;
    return ACL_SUCCESS;
  });
}
OPKIT_ACL_EXPORT aclError acldvppSetBorderConfigTop(acldvppBorderConfig* config, uint32_t top) {
  return set_config(dvpp().border_configs, config, &acldvppBorderConfig::top, top);
}
OPKIT_ACL_EXPORT aclError acldvppSetBorderConfigBottom(acldvppBorderConfig* config,
                                                       uint32_t bottom) {
  return set_config(dvpp().border_configs, config, &acldvppBorderConfig::bottom, bottom);
}
OPKIT_ACL_EXPORT aclError acldvppSetBorderConfigLeft(acldvppBorderConfig* config, uint32_t left) {
  return set_config(dvpp().border_configs, config, &acldvppBorderConfig::left, left);
}
OPKIT_ACL_EXPORT aclError acldvppSetBorderConfigRight(acldvppBorderConfig* config, uint32_t right) {
  return set_config(dvpp().border_configs, config, &acldvppBorderConfig::right, right);
}
OPKIT_ACL_EXPORT double acldvppGetBorderConfigValue(const acldvppBorderConfig* config,
                                                    uint32_t index) {
  return ask(dvpp().border_configs, config, 0.0, [&](const acldvppBorderConfig& found) {
    if (index < found.values.size()) return found.values[index];
    fail(ACL_ERROR_INVALID_PARAM, "component %u of a border; there are 4", index);
    return 0.0;
  });
}
OPKIT_ACL_EXPORT acldvppBorderType
acldvppGetBorderConfigBorderType(const acldvppBorderConfig* config) {
  return get_config(dvpp().border_configs, config, &acldvppBorderConfig::type);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetBorderConfigTop(const acldvppBorderConfig* config) {
  return get_config(dvpp().border_configs, config, &acldvppBorderConfig::top);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetBorderConfigBottom(const acldvppBorderConfig* config) {
  return get_config(dvpp().border_configs, config, &acldvppBorderConfig::bottom);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetBorderConfigLeft(const acldvppBorderConfig* config) {
  return get_config(dvpp().border_configs, config, &acldvppBorderConfig::left);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetBorderConfigRight(const acldvppBorderConfig* config) {
  return get_config(dvpp().border_configs, config, &acldvppBorderConfig::right);
}

OPKIT_ACL_EXPORT acldvppJpegeConfig* acldvppCreateJpegeConfig(void) {
  return make(dvpp().jpeg_configs, acldvppJpegeConfig{});
}
OPKIT_ACL_EXPORT aclError acldvppDestroyJpegeConfig(acldvppJpegeConfig* config) {
  return destroy(dvpp().jpeg_configs, config);
}
// Level 0 stands for the best on chips that take it (PictureRules::level_zero).
OPKIT_ACL_EXPORT aclError acldvppSetJpegeConfigLevel(acldvppJpegeConfig* config, uint32_t level) {
  return ask(dvpp().jpeg_configs, config, [&](acldvppJpegeConfig& found) -> aclError {
    if (const aclError code = check_pictures()) return code;
    const bool zero = level == 0 && rules_of().level_zero;
    if (!zero && (level < 1 || level > 100))
      return fail(ACL_ERROR_INVALID_PARAM, "level %u of a JPEG; 1 to 100 are possible", level);
    found.level = level;
    return ACL_SUCCESS;
  });
}
OPKIT_ACL_EXPORT uint32_t acldvppGetJpegeConfigLevel(const acldvppJpegeConfig* config) {
  return get_config(dvpp().jpeg_configs, config, &acldvppJpegeConfig::level);
}
