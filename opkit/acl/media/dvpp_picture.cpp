// Descriptions of pictures, alone and in batches.
#include "opkit/acl/base/ask.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/media/dvpp.h"

namespace opkit::acl {
namespace {

constexpr uint32_t kMostPictures = 256;

template <typename Value>
aclError set_field(acldvppPicDesc* desc, Value PictureFields::*field, Value value) {
  return ask(dvpp().pictures, desc, [&](acldvppPicDesc& picture) {
    (*picture.fields).*field = value;
    return ACL_SUCCESS;
  });
}

template <typename Value>
Value get_field(const acldvppPicDesc* desc, Value PictureFields::*field, Value otherwise = {}) {
  return ask(dvpp().pictures, desc, otherwise,
             [&](const acldvppPicDesc& picture) { return (*picture.fields).*field; });
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT acldvppPicDesc* acldvppCreatePicDesc(void) {
  return make(dvpp().pictures, acldvppPicDesc{});
}

OPKIT_ACL_EXPORT aclError acldvppDestroyPicDesc(acldvppPicDesc* desc) {
  const aclError code = ask(dvpp().pictures, desc, [](acldvppPicDesc& picture) -> aclError {
    if (!picture.of_batch) return ACL_SUCCESS;
    return fail(ACL_ERROR_INVALID_PARAM,
                "the picture is a batch's; acldvppDestroyBatchPicDesc destroys it");
  });
  return code ? code : destroy(dvpp().pictures, desc);
}

OPKIT_ACL_EXPORT aclError acldvppSetPicDescData(acldvppPicDesc* desc, void* data) {
  return set_field(desc, &PictureFields::data, data);
}
OPKIT_ACL_EXPORT aclError acldvppSetPicDescSize(acldvppPicDesc* desc, uint32_t size) {
  return set_field(desc, &PictureFields::size, size);
}
OPKIT_ACL_EXPORT aclError acldvppSetPicDescFormat(acldvppPicDesc* desc, acldvppPixelFormat format) {
  return set_field(desc, &PictureFields::format, format);
}
OPKIT_ACL_EXPORT aclError acldvppSetPicDescWidth(acldvppPicDesc* desc, uint32_t width) {
  return set_field(desc, &PictureFields::width, width);
}
OPKIT_ACL_EXPORT aclError acldvppSetPicDescHeight(acldvppPicDesc* desc, uint32_t height) {
  return set_field(desc, &PictureFields::height, height);
}
OPKIT_ACL_EXPORT aclError acldvppSetPicDescWidthStride(acldvppPicDesc* desc, uint32_t stride) {
  return set_field(desc, &PictureFields::width_stride, stride);
}
OPKIT_ACL_EXPORT aclError acldvppSetPicDescHeightStride(acldvppPicDesc* desc, uint32_t stride) {
  return set_field(desc, &PictureFields::height_stride, stride);
}
OPKIT_ACL_EXPORT aclError acldvppSetPicDescRetCode(acldvppPicDesc* desc, uint32_t code) {
  return set_field(desc, &PictureFields::ret_code, code);
}

OPKIT_ACL_EXPORT void* acldvppGetPicDescData(const acldvppPicDesc* desc) {
  return get_field(desc, &PictureFields::data);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetPicDescSize(const acldvppPicDesc* desc) {
  return get_field(desc, &PictureFields::size);
}
OPKIT_ACL_EXPORT acldvppPixelFormat acldvppGetPicDescFormat(const acldvppPicDesc* desc) {
  return get_field(desc, &PictureFields::format, PIXEL_FORMAT_UNKNOWN);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetPicDescWidth(const acldvppPicDesc* desc) {
  return get_field(desc, &PictureFields::width);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetPicDescHeight(const acldvppPicDesc* desc) {
  return get_field(desc, &PictureFields::height);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetPicDescWidthStride(const acldvppPicDesc* desc) {
  return get_field(desc, &PictureFields::width_stride);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetPicDescHeightStride(const acldvppPicDesc* desc) {
  return get_field(desc, &PictureFields::height_stride);
}
OPKIT_ACL_EXPORT uint32_t acldvppGetPicDescRetCode(const acldvppPicDesc* desc) {
  return get_field(desc, &PictureFields::ret_code);
}

OPKIT_ACL_EXPORT acldvppBatchPicDesc* acldvppCreateBatchPicDesc(uint32_t count) {
  if (count == 0 || count > kMostPictures) {
    fail(ACL_ERROR_INVALID_PARAM, "a batch of %u pictures; 1 to %u are possible", count,
         kMostPictures);
    return nullptr;
  }
  acldvppBatchPicDesc batch;
  for (uint32_t i = 0; i < count; ++i) {
    acldvppPicDesc picture;
    picture.of_batch = true;
    batch.pictures.push_back(make(dvpp().pictures, std::move(picture)));
  }
  return make(dvpp().batches, std::move(batch));
}

OPKIT_ACL_EXPORT acldvppPicDesc* acldvppGetPicDesc(acldvppBatchPicDesc* desc, uint32_t index) {
  return ask(dvpp().batches, desc, static_cast<acldvppPicDesc*>(nullptr),
             [&](const acldvppBatchPicDesc& batch) -> acldvppPicDesc* {
               if (index < batch.pictures.size()) return batch.pictures[index];
               fail(ACL_ERROR_INVALID_PARAM, "picture %u of a batch of %zu", index,
                    batch.pictures.size());
               return nullptr;
             });
}

OPKIT_ACL_EXPORT aclError acldvppDestroyBatchPicDesc(acldvppBatchPicDesc* desc) {
  const Lock lock;
  const acldvppBatchPicDesc* const batch = dvpp().batches.find(desc);
  if (!batch) return dvpp().batches.unknown(desc);
  for (const acldvppPicDesc* picture : batch->pictures) dvpp().pictures.destroy(picture);
  return dvpp().batches.destroy(desc);
}
