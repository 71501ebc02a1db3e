// Rows that make or use one bit per element: Compare and Select.
#ifndef OPKIT_CORE_ROWS_ROWS_BITS_H_
#define OPKIT_CORE_ROWS_ROWS_BITS_H_

#include <cstddef>
#include <cstdint>

namespace opkit::core {

// Compares n elements (a multiple of 64) of a with b, or with the scalar when b is null, and writes
// n / 8 bytes, bit 0 of byte 0 first. NaN is unequal to everything and not ordered.
using CompareRow = void (*)(uint8_t* bits, const void* a, const void* b, uint64_t scalar, size_t n);
// nullptr: no such comparison. mode: the vendor's CMPMODE.
CompareRow find_compare_row(uint32_t dtype, uint32_t mode);

// dst[i] = bit i ? a[i] : (b ? b[i] : scalar), elements of 2 or 4 bytes.
using SelectRow = void (*)(void* dst, const void* a, const void* b, uint64_t scalar,
                           const uint8_t* bits, size_t n);
SelectRow find_select_row(uint32_t element_bytes);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ROWS_ROWS_BITS_H_
