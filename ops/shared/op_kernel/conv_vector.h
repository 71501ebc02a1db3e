// The vector cores' part of a convolution, and what they and the cube core tell each other: tiles
// of sums in slots of the workspace, which the one fills and the others empty. The vector unit of a
// core that is both kinds has this part, too (conv_turns.h).
#ifndef OPS_SHARED_CONV_VECTOR_H_
#define OPS_SHARED_CONV_VECTOR_H_

#include "conv_store.h"
#include "wait_for.h"

namespace conv {

constexpr uint16_t kFilled = 0;   // the cube core has left sums in a slot
constexpr uint16_t kEmptied = 1;  // the vector cores have read a slot

// How the vector cores of a block know of slots: flags between cores.
struct BetweenCores {
  __aicore__ static inline uint32_t Block() {
    return static_cast<uint32_t>(GetBlockIdx() / GetSubBlockNum());
  }
  __aicore__ static inline uint32_t Core() { return static_cast<uint32_t>(GetSubBlockIdx()); }
  __aicore__ static inline uint32_t Cores() { return static_cast<uint32_t>(GetSubBlockNum()); }

  // A slot with the sums of a tile: waits until they are there, says that they have been read.
  __aicore__ inline void WaitFilled(uint32_t) const { CrossCoreWaitFlag(kFilled); }
  __aicore__ inline void TellEmptied(uint32_t) const { CrossCoreSetFlag<0x2, PIPE_MTE2>(kEmptied); }
};

constexpr uint32_t kAllTiles = 0xffffffff;
constexpr uint32_t kAllChannels = 0xffffffff;
constexpr uint32_t kPieceSums = kConvPieceSums;  // as many as one plane of a tile has at most
// Returns how many sums a core finishes at once where y is of T. Those of int8 take many steps in
// float, each of which begins with a fixed cost.
template <typename T>
__aicore__ constexpr uint32_t PieceSums() {
  return sizeof(T) == 1 ? 2 * kPieceSums : kPieceSums;
}

// Some planes of a tile, which a vector core finishes at once.
struct Piece {
  uint32_t channel, given;  // the first channel of y, and how many
  uint32_t planes, pixels;  // pixels of each plane
  uint32_t count;           // counts sums
  uint32_t slot;            // the first element in the tile's slot
  uint64_t at;              // the first element of y
};

// Walks the pieces of this vector core: its share of the planes of each tile of the block, as many
// at once as a piece has room for.
template <typename T, typename Flags = BetweenCores>
class Pieces {
 public:
  // most: channels of a piece.
  __aicore__ inline explicit Pieces(const ConvTiling& t, uint32_t most = kAllChannels)
      : t_(t), most_planes_(most / kC0), tiles_(t, Flags::Block()) {
    Enter();
  }

  __aicore__ inline bool IsDone() const { return tiles_.IsDone(); }
  // Tells whether the core has a part of the tile at all, and whether it begins or ends here.
  __aicore__ inline bool IsEmpty() const { return plane_ >= end_; }
  __aicore__ inline bool IsFirst() const { return plane_ == first_; }
  __aicore__ inline bool IsLast() const { return plane_ + step_ >= end_; }
  __aicore__ inline uint32_t Number() const { return tiles_.Number(); }  // numbers the tile

  __aicore__ inline const Tile& GetTile() const { return tile_; }
  // Returns the first channel of the core's share of the tile, and how many y has.
  __aicore__ inline uint32_t FirstChannel() const { return tile_.channel + first_ * kC0; }
  __aicore__ inline uint32_t Channels() const {
    return Least((end_ - first_) * kC0, tile_.given - first_ * kC0);
  }
  __aicore__ inline Piece Get() const {
    const uint32_t plane = tile_.pixels() * kC0;
    Piece piece;
    piece.planes = Least(step_, end_ - plane_);
    piece.pixels = tile_.pixels();
    piece.count = piece.planes * plane;
    piece.channel = tile_.channel + plane_ * kC0;
    piece.given = tile_.given - plane_ * kC0;
    piece.slot = plane_ * plane;
    piece.at = PlaceInY<T>(t_, tile_) + uint64_t{plane_} * t_.out_height * t_.out_width * kC0;
    return piece;
  }
  __aicore__ inline void Next() {
    plane_ += step_;
    if (plane_ < end_) return;
    tiles_.Next();
    Enter();
  }

 private:
  static constexpr uint32_t kC0 = PlaneChannels<T>();

  __aicore__ inline void Enter() {
    if (tiles_.IsDone()) return;
    tile_ = tiles_.Get();
    const uint32_t all = Parts(tile_.given, kC0), share = Parts(all, Flags::Cores());
    step_ = Least(most_planes_, PieceSums<T>() / (tile_.pixels() * kC0));
    plane_ = first_ = Flags::Core() * share;
    end_ = Least(all, first_ + share);
  }

  const ConvTiling& t_;
  uint32_t most_planes_;
  Tiles tiles_;
  Tile tile_;
  uint32_t plane_ = 0, first_ = 0, end_ = 0, step_ = 1;
};

// Fills slots on the cube core, a Slot to a sum, with the panels that y of T has.
template <typename Slot, typename T, typename Core>
__aicore__ inline void FillSlots(Core& core, const ConvTiling& t, GM_ADDR workspace) {
  const auto block = static_cast<uint32_t>(GetBlockIdx());
  const GlobalTensor<Slot> slots = SlotsOf<Slot>(t, workspace, block);
  const uint32_t tiles = core.Run([&](const Tile& tile, uint32_t number, const auto& sums) {
    if (number >= kConvSlots) CrossCoreWaitFlag(kEmptied);
    StorePanels(SlotOf(t, slots, number), sums, tile, PanelChannels<T>(), tile.pixels(), false);
    CrossCoreSetFlag<0x2, PIPE_FIX>(kFilled);
  });
  for (uint32_t open = 0; open < tiles && open < kConvSlots; ++open) CrossCoreWaitFlag(kEmptied);
}

// Empties the slots of the first `tiles` tiles: read(sums in GM, piece), then finish(piece, tile)
// when the cube core knows what it may overwrite. Slot: of a sum in the workspace. T: of panels of
// y. Goes on where `pieces` are.
template <typename Slot, typename T, typename Flags, typename Read, typename Finish>
__aicore__ inline void EveryPiece(const ConvTiling& t, const GlobalTensor<Slot>& slots,
                                  Pieces<T, Flags>& pieces, uint32_t tiles, const Flags& flags,
                                  const Read& read, const Finish& finish) {
  for (; !pieces.IsDone() && pieces.Number() < tiles; pieces.Next()) {
    const uint32_t number = pieces.Number();
    if (pieces.IsFirst()) flags.WaitFilled(number);
    if (pieces.IsEmpty()) {
      flags.TellEmptied(number);
      continue;
    }
    const Piece piece = pieces.Get();
    read(SlotOf(t, slots, number)[piece.slot], piece);
    if (pieces.IsLast()) flags.TellEmptied(number);
    finish(piece, pieces.GetTile());
  }
}

// Slot: of the workspace. T: of y, and of the tensor beside the sums, which is read ahead of them.
//
//   struct Finish {
//     void operator()(out, sums, beside, piece);   // `beside` is empty where there is no such
//     tensor
//   };
template <typename Slot, typename T, typename Flags = BetweenCores>
class VectorCore {
 public:
  __aicore__ inline VectorCore(const ConvTiling& tiling, TPipe& pipe, GM_ADDR y,
                               GM_ADDR beside = nullptr)
      : t_(tiling), has_beside_(beside != nullptr), pieces_(tiling), ahead_(tiling) {
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe.InitBuffer(sums_, kBuffers, PieceSums<T>() * sizeof(Slot));
    pipe.InitBuffer(out_, kBuffers, PieceSums<T>() * sizeof(T));
    if (!has_beside_) return;
    from_.SetGlobalBuffer((__gm__ T*)beside);
    pipe.InitBuffer(beside_, kAhead, PieceSums<T>() * sizeof(T));
  }

  template <typename Finish>
  __aicore__ inline void EmptySlots(Finish& finish, GM_ADDR workspace) {
    Begin();
    EmptySlots(finish, SlotsOf<Slot>(t_, workspace, Flags::Block()), kAllTiles, Flags());
  }

  // Empties them in parts: first Begin, then slots up to those of the first `tiles` tiles.
  __aicore__ inline void Begin() {
    for (uint32_t i = 1; i < kAhead; ++i) ReadAhead();
  }
  template <typename Finish>
  __aicore__ inline void EmptySlots(Finish& finish, const GlobalTensor<Slot>& slots, uint32_t tiles,
                                    const Flags& flags) {
    EveryPiece(
        t_, slots, pieces_, tiles, flags,
        [&](const GlobalTensor<Slot>& slot, const Piece& piece) { Read(slot, piece); },
        [&](const Piece& piece, const Tile&) {
          ReadAhead();  // behind the sums, which are waited for
          OnePiece(finish, piece);
        });
  }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr int32_t kAhead = sizeof(T) == 2 ? 4 : 2;  // pieces of the other tensor
  static constexpr uint32_t kC0 = PlaneChannels<T>();

  // Asks for the next piece of the tensor beside the sums.
  __aicore__ inline void ReadAhead() {
    if (!has_beside_) return;
    while (!ahead_.IsDone() && ahead_.IsEmpty()) ahead_.Next();
    if (ahead_.IsDone()) return;
    const Piece piece = ahead_.Get();
    LocalTensor<T> beside = beside_.template AllocTensor<T>();
    EveryRun(piece, [&](uint64_t far, uint32_t near, const DataCopyParams& run) {
      DataCopy(beside[near], from_[piece.at + far],
               DataCopyParams(run.blockCount, run.blockLen, run.dstStride, run.srcStride));
    });
    beside_.EnQue(beside);
    ahead_.Next();
  }

  __aicore__ inline void Read(const GlobalTensor<Slot>& slot, const Piece& piece) {
    LocalTensor<Slot> sums = sums_.template AllocTensor<Slot>();
    if constexpr (PanelChannels<T>() == kC0) {
      DataCopy(sums, slot, piece.count);
    } else {
      ReadPanels(sums, slot, piece);
    }
    sums_.EnQue(sums);
  }

  // Two panels side by side are a plane of int8; there are zeros where the second one is not.
  __aicore__ inline void ReadPanels(const LocalTensor<Slot>& sums, const GlobalTensor<Slot>& slot,
                                    const Piece& piece) {
    constexpr uint32_t kWidth = PanelChannels<T>();
    constexpr auto kBlocks = static_cast<uint16_t>(kWidth * sizeof(Slot) / 32);
    const uint32_t panels = Least(2 * piece.planes, Parts(piece.given, kWidth));
    if (panels < 2 * piece.planes) {
      Duplicate(sums, static_cast<Slot>(0), piece.count);
      WaitFor<HardEvent::V_MTE2>();
    }
    const DataCopyParams copy(static_cast<uint16_t>(piece.pixels), kBlocks, 0, kBlocks);
    for (uint32_t i = 0; i < panels; ++i)
      DataCopy(sums[i / 2 * piece.pixels * kC0 + i % 2 * kWidth], slot[i * piece.pixels * kWidth],
               copy);
  }

  template <typename Finish>
  __aicore__ inline void OnePiece(Finish& finish, const Piece& piece) {
    LocalTensor<Slot> sums = sums_.template DeQue<Slot>();
    LocalTensor<T> beside;
    if (has_beside_) beside = beside_.template DeQue<T>();
    LocalTensor<T> out = out_.template AllocTensor<T>();
    finish(out, sums, beside, piece);
    sums_.FreeTensor(sums);
    if (has_beside_) beside_.FreeTensor(beside);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    EveryRun(piece, [&](uint64_t far, uint32_t near, const DataCopyParams& run) {
      DataCopy(y_[piece.at + far], out[near], run);
    });
    out_.FreeTensor(out);
  }

  // Calls call(element from the first one in GM, in UB, copy to GM): once, or for each plane where
  // planes are too far apart for one copy.
  template <typename Call>
  __aicore__ inline void EveryRun(const Piece& piece, const Call& call) const {
    constexpr uint32_t kFarthest = 65535;  // blocks of 32 bytes: a pixel of a plane is one
    const uint32_t whole = t_.out_height * t_.out_width, gap = whole - piece.pixels;
    const auto pixels = static_cast<uint16_t>(piece.pixels);
    if (gap <= kFarthest)
      return call(uint64_t{0}, 0u,
                  DataCopyParams(static_cast<uint16_t>(piece.planes), pixels, 0,
                                 static_cast<uint16_t>(gap)));
    for (uint32_t p = 0; p < piece.planes; ++p)
      call(uint64_t{p} * whole * kC0, p * piece.pixels * kC0, DataCopyParams(1, pixels, 0, 0));
  }

  const ConvTiling& t_;
  bool has_beside_;
  Pieces<T, Flags> pieces_, ahead_;
  GlobalTensor<T> y_, from_;
  TQue<QuePosition::VECIN, kBuffers> sums_;
  TQue<QuePosition::VECIN, kAhead> beside_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
};

}  // namespace conv

#endif  // OPS_SHARED_CONV_VECTOR_H_
