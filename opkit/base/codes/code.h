// Code: what a stable error code means, an example that provokes it, and its cure. C++17.
//
// The rows stand in the .def files of this folder, one file for each part of opkit. A new code is a
// row there and a test that provokes it. The build refuses a second row of the same name, a code of
// a source that has no row, and a row that no source names (cmake/check_codes.awk).
#ifndef OPKIT_BASE_CODES_CODE_H_
#define OPKIT_BASE_CODES_CODE_H_

namespace opkit {

struct Code {
  const char* id;       // "EK1103", "OPK-RUN-004"; never changes its meaning
  const char* cause;    // a sentence
  const char* example;  // a line of source, YAML or shell that provokes it
  const char* cure;     // what to do, a sentence
  const char* page;     // where to read on, from the root of the repository
};

}  // namespace opkit

#endif  // OPKIT_BASE_CODES_CODE_H_
