// PictureRules: what the image units of a chip ask of pictures, as data: the section `pictures` of
// the chip's file, else of its architecture's. The files name the source of every figure.
#ifndef OPKIT_SOC_PICTURE_RULES_H_
#define OPKIT_SOC_PICTURE_RULES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "opkit/base/document.h"
#include "opkit/base/status.h"

namespace opkit {

// Each member has the name of its key. Sizes are in pixels unless they say otherwise.
struct PictureRules {
  uint32_t least_width = 0, least_height = 0;  // bound pictures and areas in them
  uint32_t most_in = 0;                        // width and height of inputs
  uint32_t most_out_width = 0, most_out_height = 0;
  uint32_t width_alignment = 0;                  // divides a width stride
  uint32_t height_alignment = 0;                 // rows of a height stride; some formats want more
  uint32_t least_stride = 0;                     // bytes of a width stride
  uint32_t most_stride = 0;                      // bytes of a width stride, rows of a height stride
  uint32_t decoded_alignment = 0;                // divides the width stride of a decoded JPEG
  uint32_t decoded_rows = 0;                     // what its height stride is a multiple of
  uint32_t least_decoded = 0, most_decoded = 0;  // width and height of JPEGs
  uint32_t most_png = 0;                         // width and height of PNGs
  uint32_t most_setting = 0;                     // what a channel's settings may expect
  uint32_t channels = 0;                         // counts what each unit has
  uint32_t png_channels = 0;
  uint32_t paste_alignment = 0;  // divides the left of an area that is pasted
  uint32_t most_growth = 0;      // times that a dim may grow by; 0: any change of size is taken
  uint32_t most_shrink = 0;      // times that a dim may shrink by, where most_growth is not 0
  uint32_t most_reflected = 0;   // limits a mirrored border on each side; 0: there are none
  bool even_regions = false;     // left and top of areas are even, right and bottom odd
  bool own_filter = false;       // interpolation 0 is the vendor's own, 3 and 4 are TensorFlow's
  bool other_filters = false;    // interpolations 3 and 4 exist
  bool converts = false;         // colours, borders, settings of channels and hi_mpi_* exist
  bool pyramids = false;
  bool level_zero = false;  // a JPEG's level 0 is taken and stands for the best
};

// Reads the section. OPK-SOC-001: a key is missing, unknown or out of range.
Result<PictureRules> read_picture_rules(const Value& section);

// Returns the rules of a chip, which live as long as the program. OPK-SOC-004: it has none, and is
// not given another's.
Result<const PictureRules*> find_picture_rules(std::string_view soc);

}  // namespace opkit

#endif  // OPKIT_SOC_PICTURE_RULES_H_
