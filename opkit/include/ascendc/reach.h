// Marks of calls that decide how a kernel is built: those that only cube cores execute, and those
// that ask for the tiling key. Such a call leaves a relocation against its mark in the section of
// the function that makes it, and no code. So an object says which of its kernels reach the cube
// unit, and a linker that drops what is not reached drops the marks as well.
#ifndef OPKIT_INCLUDE_ASCENDC_REACH_H_
#define OPKIT_INCLUDE_ASCENDC_REACH_H_

namespace AscendC {
namespace detail {

// Its address tells the marks of one translation unit from those of another.
static const char reach_unit = 0;

struct ReachMark {
  const void* unit;
};

}  // namespace detail
}  // namespace AscendC

// The sections are named like the marks, so that "__start_" and "__stop_" find those of a library.
#define OPKIT_REACH_MARK(call)                                                                \
  namespace AscendC {                                                                         \
  namespace detail {                                                                          \
  __attribute__((used, section("opkit_reach_" #call))) static ReachMark reach_##call __asm__( \
      "opkit_reached_" #call) = {&reach_unit};                                                \
  }                                                                                           \
  }
#define OPKIT_REACHES(call) __asm__ volatile(".reloc ., BFD_RELOC_NONE, opkit_reached_" #call)

OPKIT_REACH_MARK(cube_Mmad)
OPKIT_REACH_MARK(cube_LoadData)
OPKIT_REACH_MARK(cube_Fixpipe)
OPKIT_REACH_MARK(cube_Matmul)
OPKIT_REACH_MARK(key)

#endif  // OPKIT_INCLUDE_ASCENDC_REACH_H_
