// What reading and writing of JPEG share of libjpeg: its errors, and samples as it takes them.
//
// libjpeg reports errors by a jump over C frames: a step of it runs inside guarded(), and no frame
// between holds anything that must be destroyed.
#ifndef OPKIT_ACL_MEDIA_IMAGE_JPEG_SESSION_H_
#define OPKIT_ACL_MEDIA_IMAGE_JPEG_SESSION_H_

#include <csetjmp>
#include <cstddef>
#include <cstdio>
// libjpeg's headers want these in front of them.
#include <jpeglib.h>

#include <cstdint>
#include <vector>

namespace opkit::image::jpeg_session {

struct Trouble {
  jpeg_error_mgr manager;  // first: libjpeg hands back its address
  jmp_buf back;
  int code;
  char text[JMSG_LENGTH_MAX];
};

// Sets up what libjpeg reports to.
void prepare(Trouble& trouble);

// False: libjpeg gave up, and the trouble says why.
template <typename Step>
bool guarded(Trouble& trouble, const Step& step) {
  if (setjmp(trouble.back) != 0) return false;
  step();
  return true;
}

// Rows of samples as libjpeg reads and writes them: so many for each component at a time.
struct RowPointers {
  JSAMPROW rows[3][4 * DCTSIZE];
  JSAMPARRAY components[3];
};

// A component's samples, padded to whole blocks of the scan.
struct Padded {
  uint32_t width = 0, rows_at_once = 0;
  std::vector<uint8_t> samples = {};
  uint8_t* row(uint64_t y) { return samples.data() + y * width; }
};

// Returns room for a component of so many units, each of so many blocks.
Padded padded_for(uint32_t units_across, uint32_t units_down, int across, int down);

// Points at the rows of one unit of all components.
void point_at(RowPointers& pointers, std::vector<Padded>& all, uint32_t unit);

}  // namespace opkit::image::jpeg_session

#endif  // OPKIT_ACL_MEDIA_IMAGE_JPEG_SESSION_H_
