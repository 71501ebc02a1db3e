// What a fuzzer runs: the reader of JPEGs, and what becomes of what it gives. Returns normally for
// any bytes; a broken promise traps.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "opkit/acl/media/image/jpeg.h"
#include "opkit/acl/media/image/transform.h"

namespace {

using namespace opkit;

constexpr uint64_t kMostPixels = 1 << 18;  // a fuzzer waits for no large pictures

void promise(bool kept, const std::string& what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what.c_str());
  std::abort();
}

void check_error(const Error& error) {
  promise(error.code.starts_with("OPK-IMAGE-"), "an error has a code: " + error.to_string());
  promise(!error.action.empty(), "an error suggests an action: " + error.to_string());
}

void use(image::Planes planes, const image::JpegHeader& header) {
  promise(planes.width() == header.width && planes.height() == header.height,
          "the header's sizes are those of the samples");
  const auto& nv12 = *image::layout_of(1);
  const image::Planes small =
      image::fitted(image::upright(std::move(planes), header.orientation), nv12, 34, 20,
                    image::Filter::kBilinear, image::ColorStandard::kBt601Wide);
  promise(small.planes[0].samples.size() == 34 * 20 && small.planes[2].samples.size() == 17 * 10,
          "resized planes have their sizes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto header = image::read_jpeg_header(bytes);
  if (!header.ok()) return check_error(header.error()), 0;
  promise(header->width > 0 && header->height > 0, "a header has pixels");
  promise(header->orientation >= 1 && header->orientation <= 8, "orientations are 1 to 8");
  if (uint64_t{header->width} * header->height > kMostPixels) return 0;
  auto planes = image::decode_jpeg(bytes);
  if (!planes.ok()) return check_error(planes.error()), 0;
  use(*std::move(planes), *header);
  return 0;
}
