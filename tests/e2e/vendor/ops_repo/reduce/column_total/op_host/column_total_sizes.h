#ifndef COLUMN_TOTAL_SIZES_H
#define COLUMN_TOTAL_SIZES_H
namespace optiling {
constexpr int kColumnTotalPads = 4;
}
#endif
