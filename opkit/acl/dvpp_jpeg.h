// What a decoded JPEG becomes in a picture.
#ifndef OPKIT_ACL_DVPP_JPEG_H_
#define OPKIT_ACL_DVPP_JPEG_H_

#include "opkit/acl/dvpp_use.h"
#include "opkit/image/jpeg.h"

namespace opkit::acl {

// The code for an Error of the JPEG reader, whose text it keeps.
aclError tell(const Error& error);

// The picture that the file is decoded to: sizes and strides where the fields have 0.
aclError plan_decoded(const DvppRules& rules, const image::JpegHeader& header,
                      const PictureFields& fields, image::Picture& picture);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DVPP_JPEG_H_
