// Which of a pair is built: the wrong kernel or its right twin.
#ifndef WRONG_KERNELS_KINDS_SIDE_H_
#define WRONG_KERNELS_KINDS_SIDE_H_

constexpr bool kRight = KIND_IS_RIGHT != 0;

#endif  // WRONG_KERNELS_KINDS_SIDE_H_
