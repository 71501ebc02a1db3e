// Turns by Exif's orientation.
#include <utility>

#include "opkit/acl/media/image/jpeg.h"

namespace opkit::image {
namespace {

// Maps a place of the upright plane to the stored one. What each orientation means: bit by bit.
struct Turn {
  bool transposed, flip_x, flip_y;  // say which way each axis of the stored plane goes
};

Turn turn_of(int orientation) {
  constexpr Turn kTurns[] = {{false, false, false}, {false, true, false}, {false, true, true},
                             {false, false, true},  {true, false, false}, {true, false, true},
                             {true, true, true},    {true, true, false}};
  return kTurns[orientation - 1];
}

Plane turned(const Plane& plane, const Turn& turn) {
  Plane to = turn.transposed ? Plane(plane.height, plane.width) : Plane(plane.width, plane.height);
  for (uint32_t y = 0; y < to.height; ++y) {
    for (uint32_t x = 0; x < to.width; ++x) {
      const uint32_t column = turn.transposed ? y : x, row = turn.transposed ? x : y;
      to.row(y)[x] = plane.row(turn.flip_y ? plane.height - 1 - row
                                           : row)[turn.flip_x ? plane.width - 1 - column : column];
    }
  }
  return to;
}

}  // namespace

Planes upright(Planes planes, int orientation) {
  const Turn turn = turn_of(orientation);
  if (orientation == 1) return planes;
  for (size_t i = 0; i < count_of(planes.family); ++i)
    planes.planes[i] = turned(planes.planes[i], turn);
  if (turn.transposed) std::swap(planes.subsample_x, planes.subsample_y);
  return planes;
}

}  // namespace opkit::image
