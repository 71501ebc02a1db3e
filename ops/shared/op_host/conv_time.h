// How long a tiling of conv.h should take, by rates of the chip's documents; only the order of
// tilings matters. And what of a tile has room in L1.
#ifndef OPS_SHARED_CONV_TIME_H_
#define OPS_SHARED_CONV_TIME_H_

#include "../op_kernel/conv_tiling.h"

namespace conv {

constexpr uint32_t kFractal = 16;

inline uint32_t CeilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
inline uint32_t UpTo(uint32_t n, uint32_t step) { return CeilDiv(n, step) * step; }
inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }
inline uint32_t Most(uint32_t a, uint32_t b) { return a > b ? a : b; }

// Rates are bytes per cycle: what a core reads past L2 and out of it, what all of them read out of
// it, and what a core writes from L0C and from UB.
struct Chip {
  uint32_t cores = 0;  // cube cores
  uint64_t l1_bytes = 0;
  uint64_t l2_bytes = 0;
  bool one_kind = false;  // its cores have both units, and bring only fractals into L1
  double miss = 32, hit = 110, all = 835;
  double from_sums = 76, from_ub = 41;
};

// Cycles that a launch takes longer for one core more of the cube or of the vector unit.
constexpr double kCoreStart = 85;

// What a tile is beside its products.
struct Work {
  bool on_vector_cores = true;  // they finish y; else the cube core does
  bool reads = false;           // a tensor as large as y beside the sums
  bool image_in_l2 = false;     // x has just been written
  bool has_room = false;        // behind x, for a fractal that is read there
  uint32_t slot_bytes = 4;      // measures a sum in the workspace
  double finish = 0;            // cycles of a vector unit for a sum; 0: hidden behind its copies
  uint32_t in_bytes = 2, out_bytes = 2;
  double block_start = kCoreStart;  // cycles; twice that where two vector cores start with a block
};

inline uint32_t MostPixels(const ConvTiling& t) { return t.tile_rows * t.tile_columns; }
inline uint64_t PixelTiles(const ConvTiling& t) {
  return uint64_t{t.images} * CeilDiv(t.out_height, t.tile_rows) *
         CeilDiv(t.out_width, t.tile_columns);
}
inline uint32_t C0(const Work& work) { return 32 / work.in_bytes; }
inline uint32_t Planes(const Work& work, const ConvTiling& t) {
  return CeilDiv(t.channels, C0(work));
}
// Rows of a plane of filters' matrix.
inline uint32_t PlaneRows(const Work& work, const ConvTiling& t) {
  return t.filter_height * t.filter_width * C0(work);
}

// Returns the bytes of a plane of x that a tile brings into L1.
inline uint32_t PlaneBytes(const ConvTiling& t) {
  const uint32_t seen = t.row_step > 1 ? t.tile_rows
                                       : (t.tile_rows - 1) * t.stride_height +
                                             (t.filter_height - 1) * t.dilation_height + 1;
  return Least(seen, t.height) * t.width * 32;
}

// Returns the rows of x that the windows of `rows` rows of y from `row` on see: SlabOf of
// conv_tile.h.
inline uint32_t RowsSeen(const ConvTiling& t, uint32_t row, uint32_t rows) {
  if (t.row_step > 1) return rows;
  const uint32_t begin = row * t.stride_height;
  const uint32_t end =
      begin + (rows - 1) * t.stride_height + (t.filter_height - 1) * t.dilation_height + 1;
  return Least(end, t.pad_top + t.height) - Most(begin, t.pad_top);
}

// Lets chunks of whole planes end with a fractal, where there is room.
inline void SetWholeFractals(uint32_t planes, uint32_t most, ConvTiling& t) {
  const uint32_t pixels = t.height * t.width;
  uint32_t step = 1;
  while (step * pixels % kFractal != 0) step *= 2;
  const uint32_t chunk = Least(planes, UpTo(t.chunk_planes, step));
  if (chunk <= most && PlaneBytes(t) == pixels * 32) t.chunk_planes = chunk;
}

constexpr uint32_t kMostRows = 65535;  // limits the rows of a chunk's matrix: page "LoadData_3D"

// Sets how many rows of a chunk's matrix fit into halves of L0A and of L0B.
inline void SetStep(const Work& work, ConvTiling& t) {
  constexpr uint32_t kMostFractals = 255;  // limits a step's columns: page "LoadData"
  const uint32_t wide = Most(UpTo(MostPixels(t), kFractal), t.tile_channels);
  const uint32_t most = Least(kConvOperand / work.in_bytes / wide / C0(work),
                              kMostFractals / (t.tile_channels / kFractal)) *
                        C0(work);
  const uint32_t chunk = t.chunk_planes * PlaneRows(work, t);
  t.k_step = UpTo(CeilDiv(chunk, CeilDiv(chunk, most)), C0(work));
}

// Returns the bytes of L1 that image and filters have, and those behind an image, where less than a
// fractal spills.
inline uint32_t SpillBytes(const Chip& chip) { return chip.one_kind ? kConvLine : 0; }
inline uint32_t RoomFor(const Chip& chip, const ConvTiling& t) {
  const uint32_t bias = chip.one_kind ? t.tile_channels * 32 : 4096;
  return static_cast<uint32_t>(chip.l1_bytes) - bias - 2 * SpillBytes(chip);
}

// Sets what L1 holds at once. False: there is no room.
inline bool SetMemory(const Chip& chip, const Work& work, ConvTiling& t) {
  constexpr uint32_t kWanted = 24 * 1024;  // bytes of a chunk: the first one is waited for
  const uint32_t room = RoomFor(chip, t);
  const uint32_t planes = Planes(work, t), rows = PlaneRows(work, t), plane = PlaneBytes(t);
  const uint64_t panel = uint64_t{planes} * rows * t.tile_channels * work.in_bytes;
  t.hold_filters = panel + 4 * uint64_t{plane} <= room && panel <= room * 3 / 5 ? 1 : 0;
  t.panel_bytes = t.hold_filters != 0 ? static_cast<uint32_t>(panel) : 0;
  const uint32_t filters = t.hold_filters != 0 ? t.panel_bytes : kConvFilterBuffers * kConvOperand;
  if (2 * uint64_t{plane} + filters > room || rows > kMostRows) return false;
  const uint32_t held = t.hold_filters != 0 ? rows * t.tile_channels * work.in_bytes : 0;
  const uint32_t wanted = Most(1, kWanted / (plane + held));
  const uint32_t most = Least((room - filters) / 2 / plane, kMostRows / rows);
  t.chunk_planes = Least(planes, Least(wanted, most));
  t.chunk_planes = CeilDiv(planes, CeilDiv(planes, t.chunk_planes));
  if (chip.one_kind) SetWholeFractals(planes, most, t);
  t.image_bytes = t.chunk_planes * plane + SpillBytes(chip);
  SetStep(work, t);
  return true;
}

// Lets L1 hold all planes of a tile, or of two, and all filters or some steps'. False: there is no
// room.
inline bool SetHeld(const Chip& chip, const Work& work, bool filters, ConvTiling& t) {
  const uint64_t planes = Planes(work, t), rows = PlaneRows(work, t);
  const uint64_t image = planes * PlaneBytes(t) + SpillBytes(chip);
  const uint64_t panel =
      filters ? planes * rows * UpTo(t.out_channels, kFractal) * work.in_bytes : 0;
  t.hold_image = PixelTiles(t) > 1 ? 2 : 1;
  const uint64_t others = filters ? panel : kConvFilterBuffers * kConvOperand;
  if (t.hold_image * image + others > RoomFor(chip, t) || planes * rows > kMostRows) return false;
  t.hold_filters = filters ? 1 : 0;
  t.panel_bytes = static_cast<uint32_t>(panel);
  t.chunk_planes = static_cast<uint32_t>(planes);
  t.image_bytes = static_cast<uint32_t>(image);
  SetStep(work, t);
  return true;
}

// Cycles of the pipes that a tile needs.
struct TileTime {
  double cube = 0, loads = 0, stores = 0, vector = 0;
  double reads = 0;  // on the pipe that brings image and filters, too
};

inline double Larger(double a, double b) { return a > b ? a : b; }

inline TileTime TimeOfTile(const Chip& chip, const Work& work, const ConvTiling& t) {
  constexpr double kLoad = 22, kHead = 13, kFlags = 100;
  const double pixels = MostPixels(t), wide = t.tile_channels, sums = pixels * wide;
  const double high = UpTo(MostPixels(t), kFractal);
  const double step = chip.one_kind && high * wide < 10 * 256 ? 60 : 9;  // a small product waits
  const double k = double(Planes(work, t)) * PlaneRows(work, t);
  const double steps = CeilDiv(Planes(work, t), t.chunk_planes) *
                       double(CeilDiv(t.chunk_planes * PlaneRows(work, t), t.k_step));
  const double products = work.in_bytes == 1 ? 8192 : work.in_bytes == 2 ? 4096 : 1024;
  TileTime time;
  time.cube = high * wide * k / products + step * steps;
  time.loads = (high / 256 + wide / 128) * k * work.in_bytes + 2 * kLoad * steps;
  const double bytes = work.on_vector_cores ? work.slot_bytes : work.out_bytes;
  time.stores = kHead + Larger(sums / 32, sums * bytes / chip.from_sums);
  if (!work.on_vector_cores) return time;
  const double each =
      sums / (!chip.one_kind && wide > kFractal ? 2 : 1);  // counts the sums of one vector core
  const double reads =
      each * (work.slot_bytes / chip.hit + (work.reads ? work.out_bytes / chip.miss : 0));
  const double writes = each * work.out_bytes / chip.from_ub;
  if (chip.one_kind) time.reads = reads;
  const double copies = reads > writes ? reads : writes, finish = each * work.finish;
  time.vector = kFlags + (copies > finish ? copies : finish);
  return time;
}

// Cycles of so many fractals on their way into L1, at so many bytes per cycle.
inline double TimeOfFractals(double count, double rate) {
  constexpr double kLeast = 20, kRow = 64;  // cycles; bytes that a fractal's request takes
  return count * Larger(kLeast, (kConvLine + kRow) / rate);
}

// Cycles until a tile's rows of all planes are in L1, by fractals: as conv_fractals.h has it.
inline double TimeOfImage(const Chip& chip, const Work& work, const ConvTiling& t, double rate) {
  constexpr double kBarrier = 200;
  const uint32_t planes = Planes(work, t), plane = PlaneBytes(t) / 32;
  const double chunks = CeilDiv(planes, t.chunk_planes);
  const bool whole = plane == t.height * t.width, rows = t.row_step > 1 && !whole;
  const double runs = whole ? chunks : rows ? double(planes) * t.tile_rows : planes;
  const uint32_t pixels = whole ? t.chunk_planes * plane : rows ? t.width : plane;
  const double time = TimeOfFractals(runs * (pixels / kFractal), rate);
  if (pixels % kFractal == 0) return time;
  return time + TimeOfFractals(runs, chip.hit) + chunks * kBarrier;
}

// Cycles of what one core that brings fractals reads for all tiles. What L2 has no room for comes
// from memory again.
inline double TimeOfReads(const Chip& chip, const Work& work, const ConvTiling& t) {
  const double deep = CeilDiv(t.out_channels, t.tile_channels), places = double(PixelTiles(t));
  const double bytes = double(t.images) * Planes(work, t) * t.height * t.width * 32;
  const double filters = double(Planes(work, t)) * t.filter_height * t.filter_width *
                         (UpTo(t.out_channels, kFractal) / kFractal);
  const auto again = [&](double of) {
    return 2 * of > double(chip.l2_bytes) ? chip.miss : chip.hit;
  };
  const double images = t.hold_image != 0 ? 0 : deep - 1;
  const double panels = t.hold_filters != 0 ? 0 : places - 1;
  const double panel = filters * kConvLine / (t.hold_image != 0 ? 1 : deep);
  const double once = work.image_in_l2 ? chip.hit : chip.miss;
  return places * (TimeOfImage(chip, work, t, once) +
                   images * TimeOfImage(chip, work, t, again(bytes))) +
         TimeOfFractals(filters, chip.miss) + panels * TimeOfFractals(filters, again(panel));
}

// Cycles of a launch behind its start.
inline double TimeOf(const Chip& chip, const Work& work, const ConvTiling& t) {
  constexpr double kLatency = 300;
  const double deep = CeilDiv(t.out_channels, t.tile_channels), wide = double(PixelTiles(t));
  const double channels = CeilDiv(uint32_t(deep), t.channel_blocks);
  const double places = double((PixelTiles(t) + t.pixel_blocks - 1) / t.pixel_blocks);
  const double tiles = channels * places;
  const double image = double(Planes(work, t)) * PlaneBytes(t);
  const double filter =
      double(Planes(work, t)) * PlaneRows(work, t) * t.tile_channels * work.in_bytes;
  // Counts what a core misses: its share of what several cores read.
  const double chunks = CeilDiv(Planes(work, t), t.chunk_planes);
  const double shared_down = Least(t.pixel_blocks, uint32_t(chunks));
  const double shared_across = Least(t.channel_blocks, uint32_t(chunks));
  const double filters = filter * channels * (t.hold_filters != 0 ? 1 : places);
  const double missed =
      filter * channels / shared_down + (work.image_in_l2 ? 0 : image * places / shared_across);
  const double hit = filters + image * tiles - missed;
  const TileTime tile = TimeOfTile(chip, work, t);
  const double copies = Larger((missed / chip.miss) + (hit > 0 ? hit / chip.hit : 0),
                               (filter * deep + image * wide) / chip.all);
  const double reads = chip.one_kind ? TimeOfReads(chip, work, t) + tile.reads * tiles : copies;
  const double first = (image + (t.hold_filters != 0 ? filter : 0)) / chunks / chip.miss + kLatency;
  const double cube = Larger(tile.cube, tile.loads) * tiles;
  const double body = Larger(Larger(reads, first + cube), Larger(tile.stores, tile.vector) * tiles);
  const double last = tile.stores + tile.vector + Larger(tile.cube, tile.loads) / chunks;
  const double staged = t.stage_lines * double(kConvLine) * (1 / chip.miss + 1 / chip.from_ub);
  // Prefers fewer steps of two ways that memory bounds alike.
  const double beside = chip.one_kind ? 0.1 * cube : 0;
  return body + last + kLatency + staged + beside;
}

}  // namespace conv

#endif  // OPS_SHARED_CONV_TIME_H_
