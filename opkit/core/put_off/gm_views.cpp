#include "opkit/core/put_off/gm_views.h"

#include <cstring>

#include "opkit/core/put_off/spans.h"

namespace opkit::core {

bool GmViews::add(uint8_t* local, const uint8_t* gm, uint64_t bytes) {
  if (count_ == kMaxViews) return false;
  views_[count_++] = {local, gm, bytes};
  return true;
}

void GmViews::make(uint32_t i) {
  std::memcpy(views_[i].local, views_[i].gm, views_[i].bytes);
  remove(i);
}

const uint8_t* GmViews::find(const uint8_t* local, uint64_t bytes) {
  for (uint32_t i = 0; i < count_;) {
    const View& view = views_[i];
    if (covers(view.local, view.bytes, local, bytes)) return view.gm + (local - view.local);
    if (overlap(view.local, view.bytes, local, bytes)) {
      make(i);
    } else {
      ++i;
    }
  }
  return local;
}

void GmViews::forget_local(const uint8_t* local, uint64_t bytes) {
  for (uint32_t i = 0; i < count_;) {
    View& view = views_[i];
    if (covers(local, bytes, view.local, view.bytes)) {
      remove(i);
    } else if (!overlap(local, bytes, view.local, view.bytes)) {
      ++i;
    } else if (local <= view.local) {
      const uint64_t gone = static_cast<uint64_t>(local + bytes - view.local);
      view = {view.local + gone, view.gm + gone, view.bytes - gone};
      ++i;
    } else if (local + bytes >= view.local + view.bytes) {
      view.bytes = static_cast<uint64_t>(local - view.local);
      ++i;
    } else {
      make(i);
    }
  }
}

void GmViews::make_those_at(const uint8_t* local, uint64_t bytes) {
  for (uint32_t i = 0; i < count_;) {
    if (overlap(local, bytes, views_[i].local, views_[i].bytes)) {
      make(i);
    } else {
      ++i;
    }
  }
}

void GmViews::copy_gm(const uint8_t* gm, uint64_t bytes) {
  for (uint32_t i = 0; i < count_;) {
    if (overlap(gm, bytes, views_[i].gm, views_[i].bytes)) {
      make(i);
    } else {
      ++i;
    }
  }
}

void GmViews::settle_all() {
  while (count_ != 0) make(count_ - 1);
}

}  // namespace opkit::core
