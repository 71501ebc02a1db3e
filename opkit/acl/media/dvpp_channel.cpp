// Channels of image pre-processing: what the chip is to have ready.
#include <cstring>

#include "opkit/acl/base/ask.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/media/dvpp.h"
#include "opkit/acl/media/dvpp_rules.h"

namespace opkit::acl {
namespace {

constexpr uint32_t kAllModes =
    DVPP_CHNMODE_VPC | DVPP_CHNMODE_JPEGD | DVPP_CHNMODE_JPEGE | DVPP_CHNMODE_PNGD;

// A parameter as memory: where it lies in the description, nullptr: not here.
struct Parameter {
  void* at = nullptr;
  size_t bytes = 0;
};

Parameter parameter_of(acldvppChannelDesc& channel, acldvppChannelDescParamType type) {
  switch (type) {
    case ACL_DVPP_CSC_MATRIX_UINT32: return {&channel.standard, sizeof channel.standard};
    case ACL_DVPP_MODE_UINT32: return {&channel.mode, sizeof channel.mode};
    case ACL_DVPP_CHANNEL_ID_UINT64: return {&channel.id, sizeof channel.id};
    case ACL_DVPP_CHANNEL_HEIGHT_UINT32: return {&channel.most[0], sizeof(uint32_t)};
    case ACL_DVPP_CHANNEL_WIDTH_UINT32: return {&channel.most[1], sizeof(uint32_t)};
    default: return {};
  }
}

aclError no_parameter(acldvppChannelDescParamType type) {
  return fail(ACL_ERROR_API_NOT_SUPPORT,
              "a channel has no parameter %d here; ACL_DVPP_CSC_MATRIX_UINT32 (0) to "
              "ACL_DVPP_CHANNEL_WIDTH_UINT32 (4) can be set",
              static_cast<int>(type));
}

aclError check_values(const acldvppChannelDesc& channel) {
  const uint32_t most = rules_of().most_setting;
  if (channel.mode == 0 || (channel.mode & ~kAllModes) != 0)
    return fail(ACL_ERROR_INVALID_PARAM, "mode %u of a channel: a sum of 1, 2, 4 and 8",
                channel.mode);
  if (channel.standard >= image::kColorStandards)
    return fail(ACL_ERROR_INVALID_PARAM, "colour matrix %u: 0 to 5 are possible", channel.standard);
  for (const uint32_t pixels : channel.most) {
    if (pixels > most)
      return fail(ACL_ERROR_INVALID_PARAM, "%u pixels of a channel: at most %u", pixels, most);
  }
  return ACL_SUCCESS;
}

// Settings are made in front of acldvppCreateChannel.
aclError check_settable(const acldvppChannelDesc& channel, const char* call) {
  if (const aclError code = check_pictures()) return code;
  if (!rules_of().converts)
    return fail(ACL_ERROR_API_NOT_SUPPORT, "%s: this chip's channels have no settings", call);
  if (!channel.created) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "%s: call it in front of acldvppCreateChannel", call);
}

aclError set_parameter(acldvppChannelDesc& channel, acldvppChannelDescParamType type, size_t length,
                       const void* value) {
  if (const aclError code = check_settable(channel, "acldvppSetChannelDescParam")) return code;
  acldvppChannelDesc changed = channel;
  const Parameter parameter = parameter_of(changed, type);
  if (!parameter.at) return no_parameter(type);
  if (!value || length != parameter.bytes)
    return fail(ACL_ERROR_INVALID_PARAM, "parameter %d of a channel has %zu bytes, not %zu at %p",
                static_cast<int>(type), parameter.bytes, length, value);
  std::memcpy(parameter.at, value, length);
  if (const aclError code = check_values(changed)) return code;
  channel = changed;
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT acldvppChannelDesc* acldvppCreateChannelDesc(void) {
  return make(dvpp().channels, acldvppChannelDesc{});
}

OPKIT_ACL_EXPORT aclError acldvppDestroyChannelDesc(acldvppChannelDesc* desc) {
  const aclError code = ask(dvpp().channels, desc, [](acldvppChannelDesc& channel) -> aclError {
    if (!channel.created) return ACL_SUCCESS;
    return fail(ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED,
                "the channel of this description is there; call acldvppDestroyChannel first");
  });
  return code ? code : destroy(dvpp().channels, desc);
}

OPKIT_ACL_EXPORT uint64_t acldvppGetChannelDescChannelId(const acldvppChannelDesc* desc) {
  return ask(dvpp().channels, desc, uint64_t{0},
             [](const acldvppChannelDesc& channel) { return channel.id; });
}

OPKIT_ACL_EXPORT aclError acldvppSetChannelDescMode(acldvppChannelDesc* desc, uint32_t mode) {
  return ask(dvpp().channels, desc, [&](acldvppChannelDesc& channel) {
    return set_parameter(channel, ACL_DVPP_MODE_UINT32, sizeof mode, &mode);
  });
}

OPKIT_ACL_EXPORT aclError acldvppSetChannelDescParam(acldvppChannelDesc* desc,
                                                     acldvppChannelDescParamType type,
                                                     size_t length, const void* value) {
  return ask(dvpp().channels, desc, [&](acldvppChannelDesc& channel) {
    return set_parameter(channel, type, length, value);
  });
}

OPKIT_ACL_EXPORT aclError acldvppGetChannelDescParam(const acldvppChannelDesc* desc,
                                                     acldvppChannelDescParamType type,
                                                     size_t length, size_t* returned, void* value) {
  return ask(dvpp().channels, desc, [&](acldvppChannelDesc& channel) -> aclError {
    const Parameter parameter = parameter_of(channel, type);
    if (!parameter.at) return no_parameter(type);
    if (!value || !returned || length < parameter.bytes)
      return fail(ACL_ERROR_INVALID_PARAM,
                  "acldvppGetChannelDescParam wants two places, one of %zu bytes", parameter.bytes);
    std::memcpy(value, parameter.at, parameter.bytes);
    *returned = parameter.bytes;
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError acldvppCreateChannel(acldvppChannelDesc* desc) {
  return ask(dvpp().channels, desc, [](acldvppChannelDesc& channel) -> aclError {
    if (!has_context())
      return fail(ACL_ERROR_RT_CONTEXT_NULL, "no device is set; call aclrtSetDevice first");
    if (channel.created)
      return fail(ACL_ERROR_INVALID_PARAM, "acldvppCreateChannel: the channel is there already");
    if (const aclError code = check_pictures()) return code;
    channel.created = true;
    return ACL_SUCCESS;
  });
}

// Tasks hold what they need of a channel.
OPKIT_ACL_EXPORT aclError acldvppDestroyChannel(acldvppChannelDesc* desc) {
  return ask(dvpp().channels, desc, [](acldvppChannelDesc& channel) -> aclError {
    if (!channel.created)
      return fail(ACL_ERROR_INVALID_PARAM,
                  "acldvppDestroyChannel: acldvppCreateChannel was not called, or the channel is "
                  "gone already");
    channel.created = false;
    return ACL_SUCCESS;
  });
}
