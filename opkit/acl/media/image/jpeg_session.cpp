#include "opkit/acl/media/image/jpeg_session.h"

#include <jerror.h>

namespace opkit::image::jpeg_session {
namespace {

Trouble& trouble_of(j_common_ptr session) { return *reinterpret_cast<Trouble*>(session->err); }

[[noreturn]] void jump_out(j_common_ptr session) {
  Trouble& trouble = trouble_of(session);
  trouble.code = trouble.manager.msg_code;
  trouble.manager.format_message(session, trouble.text);
  longjmp(trouble.back, 1);
}

// Warnings after which the samples are guesses. Others are about decoration.
bool guesses(int code) {
  return code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE || code == JWRN_MUST_RESYNC ||
         code == JWRN_NOT_SEQUENTIAL || code == JWRN_BOGUS_PROGRESSION ||
         code == JWRN_ARITH_BAD_CODE;
}

void on_message(j_common_ptr session, int level) {
  if (level < 0 && guesses(session->err->msg_code)) jump_out(session);
}

}  // namespace

void prepare(Trouble& trouble) {
  jpeg_std_error(&trouble.manager);
  trouble.manager.error_exit = jump_out;
  trouble.manager.emit_message = on_message;
  trouble.code = 0;
  trouble.text[0] = '\0';
}

Padded padded_for(uint32_t units_across, uint32_t units_down, int across, int down) {
  Padded padded{units_across * static_cast<uint32_t>(across) * DCTSIZE,
                static_cast<uint32_t>(down) * DCTSIZE};
  padded.samples.resize(uint64_t{padded.width} * units_down * padded.rows_at_once);
  return padded;
}

void point_at(RowPointers& pointers, std::vector<Padded>& all, uint32_t unit) {
  for (size_t i = 0; i < all.size(); ++i) {
    pointers.components[i] = pointers.rows[i];
    for (uint32_t row = 0; row < all[i].rows_at_once; ++row)
      pointers.rows[i][row] = all[i].row(uint64_t{unit} * all[i].rows_at_once + row);
  }
}

}  // namespace opkit::image::jpeg_session
