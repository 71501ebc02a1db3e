#ifndef ROW_SIZES_H
#define ROW_SIZES_H
constexpr int32_t kRowElements = 8;
#endif
