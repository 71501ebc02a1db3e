// What a decoded JPEG becomes in a picture, and which pictures become JPEGs.
#ifndef OPKIT_ACL_MEDIA_DVPP_JPEG_H_
#define OPKIT_ACL_MEDIA_DVPP_JPEG_H_

#include <array>
#include <string_view>

#include "opkit/acl/media/dvpp_use.h"
#include "opkit/acl/media/image/jpeg.h"

namespace opkit::acl {

// The code for an Error of the JPEG reader, whose text it keeps.
aclError tell(const Error& error);

// The picture that the file is decoded to: sizes and strides where the fields have 0.
aclError plan_decoded(const PictureRules& rules, const image::JpegHeader& header,
                      const PictureFields& fields, image::Picture& picture);
// Decodes the file into the picture's memory. REQUIRES: plan_decoded() planned it of that header,
// and its data is set.
aclError store_decoded(std::string_view file, const image::JpegHeader& header,
                       const image::Picture& picture);

// The picture of these fields as the encoder takes it, at most so high and wide. REQUIRES: the lock
// is held.
aclError plan_encoded(const std::array<uint32_t, 2>& most, const PictureFields& fields,
                      image::Picture& picture);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_DVPP_JPEG_H_
