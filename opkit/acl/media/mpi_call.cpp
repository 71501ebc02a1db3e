#include "opkit/acl/media/mpi_call.h"

#include <algorithm>

#include "opkit/acl/device/device.h"
#include "opkit/acl/media/dvpp_use.h"
#include "opkit/acl/media/mpi.h"

namespace opkit::acl {
namespace {

struct MediaNumber {
  aclError code;
  uint32_t number;
};

// What is not named here is a wrong parameter.
constexpr MediaNumber kMediaNumbers[] = {
    {ACL_ERROR_FORMAT_NOT_MATCH, HI_DVPP_NOT_SUPPORT},
    {ACL_ERROR_UNSUPPORTED_JPEG, HI_DVPP_NOT_SUPPORT},
    {ACL_ERROR_API_NOT_SUPPORT, HI_DVPP_NOT_SUPPORT},
    {ACL_ERROR_RT_PARAM_INVALID, HI_DVPP_BAD_ADDR},
    {ACL_ERROR_RT_CONTEXT_NULL, HI_DVPP_SYS_NOT_READY},
    {ACL_ERROR_RT_MEMORY_ALLOCATION, HI_DVPP_NO_MEM},
};

}  // namespace

hi_s32 most_channels(hi_mod_id module) {
  const PictureRules& rules = rules_of();
  return static_cast<hi_s32>(module == HI_ID_PNGD ? rules.png_channels : rules.channels);
}

hi_s32 media_code(hi_mod_id module, aclError code) {
  if (code == ACL_SUCCESS) return HI_SUCCESS;
  const auto* const found = std::ranges::find(kMediaNumbers, code, &MediaNumber::code);
  const uint32_t number =
      found == std::end(kMediaNumbers) ? uint32_t{HI_DVPP_ILLEGAL_PARAM} : found->number;
  return fail(HI_DVPP_ERROR(module, number), "%s", take_text().c_str());
}

hi_s32 told(const char* call, hi_s32 code) {
  return code ? fail(code, "%s: %s", call, take_text().c_str()) : HI_SUCCESS;
}

hi_s32 check_ready(hi_mod_id module) {
  if (media().ready) return HI_SUCCESS;
  return fail(HI_DVPP_ERROR(module, HI_DVPP_SYS_NOT_READY),
              "hi_mpi_sys_init was not called, or hi_mpi_sys_exit was; call hi_mpi_sys_init first");
}

hi_s32 check_wait(hi_mod_id module, hi_s32 milliseconds) {
  if (milliseconds >= -1) return HI_SUCCESS;
  return fail(HI_DVPP_ERROR(module, HI_DVPP_ILLEGAL_PARAM),
              "a time-out of %d ms; -1 (any time), 0 (none) and more are possible", milliseconds);
}

hi_s32 no_pointer(hi_mod_id module, const char* what) {
  return fail(HI_DVPP_ERROR(module, HI_DVPP_NULL_PTR), "%s is a null pointer", what);
}

hi_s32 check_media_memory(hi_mod_id module, const char* word, const void* at, uint64_t bytes) {
  if (!at) return no_pointer(module, word);
  const DeviceMemory& memory = the_device().memory();
  if (bytes != 0 && memory.holds(at, bytes)) return HI_SUCCESS;
  return fail(HI_DVPP_ERROR(module, HI_DVPP_BAD_ADDR),
              "%s at %p with %llu bytes is no device memory of hi_mpi_dvpp_malloc or aclrtMalloc: "
              "%s",
              word, at, static_cast<unsigned long long>(bytes), memory.about(at).c_str());
}

hi_s32 check_media_host(hi_mod_id module, const void* data) {
  if (check_on_host(data) == ACL_SUCCESS) return HI_SUCCESS;
  return fail(HI_DVPP_ERROR(module, HI_DVPP_BAD_ADDR), "%s", take_text().c_str());
}

}  // namespace opkit::acl
