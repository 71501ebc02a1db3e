// What the build asks compiled op_host sources for, from the library opkit_plugin.
#ifndef OPKIT_HOST_ANSWERS_H_
#define OPKIT_HOST_ANSWERS_H_

namespace opkit_host {

// The main of a program that holds the sources' objects.
//   prototypes FILE         the OpDefs as a prototype file: the JSON that msOpGen reads, with what
//                           it has no field for beside it (chips, value_depend, functions,
//                           left_out). The build makes a contract of it;
//   tiling-structs OP FILE  the header of tiling structs for the kernels of an op.
// A file that has the answer already is not written again. The exit code is 0 when FILE has it.
__attribute__((visibility("hidden"))) int answer(int count, char** words);

}  // namespace opkit_host

#endif  // OPKIT_HOST_ANSWERS_H_
