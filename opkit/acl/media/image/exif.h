// Where the camera's top was, as a JPEG's Exif part says.
#ifndef OPKIT_ACL_MEDIA_IMAGE_EXIF_H_
#define OPKIT_ACL_MEDIA_IMAGE_EXIF_H_

#include <string_view>

namespace opkit::image {

// 1 to 8 of the bytes of an APP1 marker; 1 for what says nothing or makes no sense.
int exif_orientation(std::string_view marker);

}  // namespace opkit::image

#endif  // OPKIT_ACL_MEDIA_IMAGE_EXIF_H_
