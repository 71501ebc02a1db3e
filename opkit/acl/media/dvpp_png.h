// What a decoded PNG becomes in a picture.
#ifndef OPKIT_ACL_MEDIA_DVPP_PNG_H_
#define OPKIT_ACL_MEDIA_DVPP_PNG_H_

#include "opkit/acl/media/dvpp_use.h"
#include "opkit/acl/media/image/png.h"

namespace opkit::acl {

// The code for an Error of the PNG reader, whose text it keeps.
aclError tell_png(const Error& error);

// The picture that the file is decoded to: sizes and strides where the fields have 0.
aclError plan_png(const image::PngHeader& header, const PictureFields& fields,
                  image::Picture& picture);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_DVPP_PNG_H_
