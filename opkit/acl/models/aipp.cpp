// Settings of dynamic AIPP. (Vendor's pages "aclmdlCreateAIPP" and the aclmdlSetAIPP... behind it,
// which have the ranges.)
#include "opkit/acl/models/aipp.h"

#include <initializer_list>

#include "opkit/acl/base/ask.h"

namespace opkit::acl {
namespace {

using model::Aipp;

constexpr uint64_t kMostImages = 1 << 16;

aclError is_switch(const char* name, int8_t value) {
  if (value == 0 || value == 1) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "%s %d; 0 and 1 are possible", name, value);
}

aclError lies_in(const char* name, double value, double least, double most) {
  if (value >= least && value <= most) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "%s %g; %g to %g are possible", name, value, least, most);
}

aclError all_lie_in(const char* name, std::initializer_list<double> values, double least,
                    double most) {
  for (const double value : values)
    if (const aclError code = lies_in(name, value, least, most)) return code;
  return ACL_SUCCESS;
}

// set(the settings of each image).
template <typename Set>
aclError set_all(aclmdlAIPP* aipp, Set set) {
  return ask(aipps(), aipp, [&](aclmdlAIPP& found) {
    for (Aipp& image : found.images) set(image);
    return ACL_SUCCESS;
  });
}

// set(the settings of one image).
template <typename Set>
aclError set_one(aclmdlAIPP* aipp, uint64_t image, Set set) {
  return ask(aipps(), aipp, [&](aclmdlAIPP& found) -> aclError {
    if (image >= found.images.size())
      return fail(ACL_ERROR_INVALID_PARAM, "batchIndex %zu of settings for %zu images",
                  static_cast<size_t>(image), found.images.size());
    set(found.images[image]);
    return ACL_SUCCESS;
  });
}

bool known_format(aclAippInputFormat given, Aipp::Format& format) {
  switch (given) {
    case ACL_YUV420SP_U8: format = Aipp::Format::kYuv420; return true;
    case ACL_XRGB8888_U8: format = Aipp::Format::kXrgb; return true;
    case ACL_RGB888_U8: format = Aipp::Format::kRgb; return true;
    case ACL_YUV400_U8: format = Aipp::Format::kGray; return true;
    default: return false;
  }
}

}  // namespace

HandleTable<aclmdlAIPP>& aipps() {
  static HandleTable<aclmdlAIPP>& all = *new HandleTable<aclmdlAIPP>("aclmdlAIPP");
  return all;
}

}  // namespace opkit::acl

using namespace opkit::acl;
using opkit::model::Aipp;

OPKIT_ACL_EXPORT aclmdlAIPP* aclmdlCreateAIPP(uint64_t images) {
  if (images == 0 || images > kMostImages) {
    fail(ACL_ERROR_INVALID_PARAM, "aclmdlCreateAIPP for %zu images; 1 to 65536 are possible",
         static_cast<size_t>(images));
    return nullptr;
  }
  aclmdlAIPP aipp;
  aipp.images.resize(images);
  return make(aipps(), std::move(aipp));
}

OPKIT_ACL_EXPORT aclError aclmdlDestroyAIPP(const aclmdlAIPP* aipp) {
  return destroy(aipps(), aipp);
}

OPKIT_ACL_EXPORT aclError aclmdlGetAippDataSize(uint64_t images, size_t* size) {
  if (!size || images == 0 || images > kMostImages)
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclmdlGetAippDataSize wants 1 to 65536 images, and a place for the size");
  *size = images * sizeof(opkit::model::AippRow);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPInputFormat(aclmdlAIPP* aipp, aclAippInputFormat given) {
  Aipp::Format format{};
  if (!known_format(given, format))
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclAippInputFormat %d; AIPP takes ACL_YUV420SP_U8, ACL_XRGB8888_U8, "
                "ACL_RGB888_U8 and ACL_YUV400_U8",
                static_cast<int>(given));
  return ask(aipps(), aipp, [&](aclmdlAIPP& found) {
    for (Aipp& image : found.images) image.format = format;
    found.has_format = true;
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPCscParams(aclmdlAIPP* aipp, int8_t on, int16_t r0c0,
                                                 int16_t r0c1, int16_t r0c2, int16_t r1c0,
                                                 int16_t r1c1, int16_t r1c2, int16_t r2c0,
                                                 int16_t r2c1, int16_t r2c2, uint8_t out0,
                                                 uint8_t out1, uint8_t out2, uint8_t in0,
                                                 uint8_t in1, uint8_t in2) {
  if (const aclError code = is_switch("cscSwitch", on)) return code;
  return set_all(aipp, [&](Aipp& image) {
    image.convert = on == 1;
    if (!image.convert) return;
    image.matrix = {r0c0, r0c1, r0c2, r1c0, r1c1, r1c2, r2c0, r2c1, r2c2};
    image.output_bias = {out0, out1, out2};
    image.input_bias = {in0, in1, in2};
  });
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPRbuvSwapSwitch(aclmdlAIPP* aipp, int8_t on) {
  if (const aclError code = is_switch("rbuvSwapSwitch", on)) return code;
  return set_all(aipp, [&](Aipp& image) { image.swap_outer = on == 1; });
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPAxSwapSwitch(aclmdlAIPP* aipp, int8_t on) {
  if (const aclError code = is_switch("axSwapSwitch", on)) return code;
  return set_all(aipp, [&](Aipp& image) { image.alpha_behind = on == 1; });
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPSrcImageSize(aclmdlAIPP* aipp, int32_t width,
                                                    int32_t height) {
  if (const aclError code = lies_in("srcImageSizeW", width, 2, 4096)) return code;
  if (const aclError code = lies_in("srcImageSizeH", height, 1, 4096)) return code;
  return ask(aipps(), aipp, [&](aclmdlAIPP& found) {
    for (Aipp& image : found.images) image.width = width, image.height = height;
    found.has_size = true;
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPScfParams(aclmdlAIPP* aipp, int8_t on, int32_t, int32_t,
                                                 int32_t, int32_t, uint64_t image) {
  if (const aclError code = is_switch("scfSwitch", on)) return code;
  if (on == 1)
    return fail(ACL_ERROR_API_NOT_SUPPORT,
                "AIPP does not resize; resize with acldvppVpcResizeAsync before");
  return set_one(aipp, image, [](Aipp&) {});
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPCropParams(aclmdlAIPP* aipp, int8_t on, int32_t left,
                                                  int32_t top, int32_t width, int32_t height,
                                                  uint64_t image) {
  if (const aclError code = is_switch("cropSwitch", on)) return code;
  if (on == 1) {
    if (const aclError code = all_lie_in("cropStartPos", {double(left), double(top)}, 0, 4095))
      return code;
    if (const aclError code = all_lie_in("cropSize", {double(width), double(height)}, 1, 4096))
      return code;
  }
  return set_one(aipp, image, [&](Aipp& found) {
    found.crop = on == 1;
    if (!found.crop) return;
    found.crop_left = left, found.crop_top = top;
    found.crop_width = width, found.crop_height = height;
  });
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPPaddingParams(aclmdlAIPP* aipp, int8_t on, int32_t top,
                                                     int32_t bottom, int32_t left, int32_t right,
                                                     uint64_t image) {
  if (const aclError code = is_switch("paddingSwitch", on)) return code;
  if (on == 1) {
    if (const aclError code = all_lie_in(
            "paddingSize", {double(top), double(bottom), double(left), double(right)}, 0, 32))
      return code;
  }
  return set_one(aipp, image, [&](Aipp& found) {
    found.pad = on == 1;
    if (!found.pad) return;
    found.top = top, found.bottom = bottom, found.left = left, found.right = right;
  });
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPDtcPixelMean(aclmdlAIPP* aipp, int16_t c0, int16_t c1,
                                                    int16_t c2, int16_t c3, uint64_t image) {
  if (const aclError code =
          all_lie_in("dtcPixelMeanChn", {double(c0), double(c1), double(c2), double(c3)}, 0, 255))
    return code;
  return set_one(aipp, image, [&](Aipp& found) {
    found.mean = {double(c0), double(c1), double(c2), double(c3)};
  });
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPDtcPixelMin(aclmdlAIPP* aipp, float c0, float c1, float c2,
                                                   float c3, uint64_t image) {
  if (const aclError code = all_lie_in("dtcPixelMinChn", {c0, c1, c2, c3}, 0, 255)) return code;
  return set_one(aipp, image, [&](Aipp& found) { found.least = {c0, c1, c2, c3}; });
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPPixelVarReci(aclmdlAIPP* aipp, float c0, float c1, float c2,
                                                    float c3, uint64_t image) {
  if (const aclError code = all_lie_in("dtcPixelVarReciChn", {c0, c1, c2, c3}, -65504, 65504))
    return code;
  return set_one(aipp, image, [&](Aipp& found) { found.factor = {c0, c1, c2, c3}; });
}
