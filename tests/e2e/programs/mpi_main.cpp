// A program of the second interface: a JPEG, decoded on one thread and got on another, resized,
// converted, cropped in batches, a pyramid of it, and encoded again; then what it must not do.
#include <hi_dvpp.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "misuse.h"

namespace {

constexpr hi_u32 kHalf = 2;

struct Memory {
  explicit Memory(hi_u64 size) : bytes(size) {
    Check(hi_mpi_dvpp_malloc(0, &at, size), "hi_mpi_dvpp_malloc");
    Check(aclrtMemset(at, size, 0, size), "aclrtMemset");
  }
  ~Memory() { Check(hi_mpi_dvpp_free(at), "hi_mpi_dvpp_free"); }
  Memory(const Memory&) = delete;
  hi_u8* data() const { return static_cast<hi_u8*>(at); }
  void* at = nullptr;
  hi_u64 bytes;
};

hi_vpc_pic_info Picture(const Memory& memory, hi_pixel_format format, hi_u32 width, hi_u32 height,
                        hi_u32 stride, hi_u32 rows) {
  return {memory.at, static_cast<hi_u32>(memory.bytes), width, height, stride, rows, format};
}

hi_img_align_info Aligned(hi_u32 width, hi_u32 height, hi_pixel_format format) {
  const hi_module_type modules[] = {HI_MOD_VPC, HI_MOD_VENC};
  const hi_img_base_info base = {width, height, format};
  hi_img_align_info aligned = {};
  Check(hi_mpi_sys_get_image_align_info(modules, 2, &base, &aligned), "align");
  return aligned;
}

// task: read when the call has set it.
void Finish(hi_s32 code, const hi_u32& task, const char* what) {
  Check(code, what);
  Check(hi_mpi_vpc_get_process_result(0, task, -1), what);
}

void MakeChannels() {
  hi_vpc_chn_attr vpc = {};
  hi_vdec_chn_attr decoder = {};
  hi_venc_chn_attr encoder = {};
  hi_venc_start_param start = {-1};
  Check(hi_mpi_vpc_create_chn(0, &vpc), "hi_mpi_vpc_create_chn");
  decoder.type = HI_PT_JPEG;
  decoder.mode = HI_VDEC_SEND_MODE_FRAME;
  decoder.pic_width = decoder.pic_height = 4096;
  decoder.stream_buf_size = 1 << 24;
  Check(hi_mpi_vdec_create_chn(0, &decoder), "hi_mpi_vdec_create_chn");
  Check(hi_mpi_vdec_start_recv_stream(0), "hi_mpi_vdec_start_recv_stream");
  encoder.venc_attr.type = HI_PT_JPEG;
  encoder.venc_attr.max_pic_width = encoder.venc_attr.max_pic_height = 4096;
  encoder.venc_attr.buf_size = 1 << 20;
  Check(hi_mpi_venc_create_chn(0, &encoder), "hi_mpi_venc_create_chn");
  Check(hi_mpi_venc_start_chn(0, &start), "hi_mpi_venc_start_chn");
}

void EndChannels() {
  Check(hi_mpi_venc_stop_chn(0), "hi_mpi_venc_stop_chn");
  Check(hi_mpi_venc_destroy_chn(0), "hi_mpi_venc_destroy_chn");
  Check(hi_mpi_vdec_stop_recv_stream(0), "hi_mpi_vdec_stop_recv_stream");
  Check(hi_mpi_vdec_destroy_chn(0), "hi_mpi_vdec_destroy_chn");
  Check(hi_mpi_vpc_destroy_chn(0), "hi_mpi_vpc_destroy_chn");
}

hi_vdec_stream Stream(void* at, size_t bytes) {
  hi_vdec_stream stream = {};
  stream.addr = static_cast<hi_u8*>(at);
  stream.len = static_cast<hi_u32>(bytes);
  stream.need_display = HI_TRUE;
  return stream;
}

hi_vdec_pic_info Output(const Memory& memory, const hi_img_info& info) {
  hi_vdec_pic_info output = {};
  output.width_stride = info.width_stride;
  output.height_stride = info.height_stride;
  output.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
  output.vir_addr = reinterpret_cast<uintptr_t>(memory.at);
  output.buffer_size = static_cast<hi_u32>(memory.bytes);
  return output;
}

hi_img_info InfoOf(std::string& file) {
  const hi_vdec_stream stream = Stream(file.data(), file.size());
  hi_img_info info = {};
  Check(hi_mpi_vdec_get_jpegd_output_info(&stream, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420, &info),
        "hi_mpi_vdec_get_jpegd_output_info");
  return info;
}

void Decode(std::string& file, const hi_img_info& info, const Memory& to) {
  const Memory from(file.size());
  Check(aclrtMemcpy(from.at, file.size(), file.data(), file.size(), ACL_MEMCPY_HOST_TO_DEVICE),
        "aclrtMemcpy");
  const hi_vdec_stream stream = Stream(from.at, file.size());
  hi_vdec_pic_info output = Output(to, info);
  hi_video_frame_info frame = {};
  std::thread getter([&] {
    hi_vdec_stream back = {};
    hi_vdec_supplement_info supplement = {};
    Check(hi_mpi_vdec_get_frame(0, &frame, &supplement, &back, -1), "hi_mpi_vdec_get_frame");
    Must(back.addr == stream.addr, "the stream that comes back");
  });
  Check(hi_mpi_vdec_send_stream(0, &stream, &output, 1000), "hi_mpi_vdec_send_stream");
  getter.join();
  Must(frame.v_frame.frame_flag == 0, "frame_flag");
  Must(frame.v_frame.width == info.width && frame.v_frame.virt_addr[0] == to.at, "the frame");
  Check(hi_mpi_vdec_release_frame(0, &frame), "hi_mpi_vdec_release_frame");
}

std::string Encode(const hi_vpc_pic_info& picture) {
  hi_video_frame_info frame = {};
  frame.v_frame.width = picture.picture_width;
  frame.v_frame.height = picture.picture_height;
  frame.v_frame.pixel_format = picture.picture_format;
  frame.v_frame.width_stride[0] = frame.v_frame.width_stride[1] = picture.picture_width_stride;
  frame.v_frame.virt_addr[0] = picture.picture_address;
  frame.v_frame.virt_addr[1] = static_cast<hi_u8*>(picture.picture_address) +
                               picture.picture_width_stride * picture.picture_height_stride;
  hi_venc_pack pack = {};
  hi_venc_stream stream = {&pack, 1, 0};
  Check(hi_mpi_venc_send_frame(0, &frame, -1), "hi_mpi_venc_send_frame");
  Check(hi_mpi_venc_get_stream(0, &stream, -1), "hi_mpi_venc_get_stream");
  std::string file(pack.len - pack.offset, '\0');
  Check(aclrtMemcpy(file.data(), file.size(), pack.addr + pack.offset, file.size(),
                    ACL_MEMCPY_DEVICE_TO_HOST),
        "aclrtMemcpy");
  Check(hi_mpi_venc_release_stream(0, &stream), "hi_mpi_venc_release_stream");
  return file;
}

// Two areas of one picture, each to a picture of its own.
void Crops(const hi_vpc_pic_info& source) {
  const hi_img_align_info aligned = Aligned(32, 32, source.picture_format);
  const Memory first(aligned.img_buf_size), second(aligned.img_buf_size);
  hi_vpc_crop_resize_paste_region regions[2] = {};
  const Memory* memory[] = {&first, &second};
  for (hi_u32 i = 0; i < 2; ++i) {
    regions[i].dest_pic_info = Picture(*memory[i], source.picture_format, 32, 32,
                                       aligned.width_stride, aligned.height_stride);
    regions[i].crop_region = {0, i * 16, 16, 16};
    regions[i].resize_info = {16, 16, 1};
    regions[i].dest_left_offset = 16;
    regions[i].dest_top_offset = 16;
  }
  const hi_vpc_pic_info* sources[] = {&source};
  hi_u32 counts[] = {2}, task = 0;
  Finish(hi_mpi_vpc_batch_crop_resize_paste(0, sources, 1, regions, counts, &task, -1), task,
         "batch");
  const hi_u8* const from = static_cast<hi_u8*>(source.picture_address);
  const hi_u32 at = 16 * aligned.width_stride + 16;
  Must(first.data()[at] == from[0] && second.data()[at] == from[16], "pasted areas");
  Must(first.data()[at - 1] == 0, "what lies outside");
}

void Pyramid(const hi_vpc_pic_info& source) {
  hi_vpc_pic_info gray = source;
  gray.picture_format = HI_PIXEL_FORMAT_YUV_400;
  gray.picture_width = gray.picture_height = 40;
  const Memory half(32 * 32);
  hi_vpc_pic_info level = Picture(half, HI_PIXEL_FORMAT_YUV_400, 20, 20, 32, 20);
  hi_vpc_make_border_info border = {};
  border.border_type = HI_BORDER_REPLICATE;
  hi_u32 task = 0;
  const hi_s32 code = hi_mpi_vpc_pyrdown(0, &gray, &level, 1, nullptr, 256, border, &task, -1);
  std::printf("pyramid: 0x%X\n", code);
  if (code == HI_SUCCESS) {
    Finish(code, task, "pyramid");
    std::printf("level: %u of %u\n", half.data()[0], *static_cast<hi_u8*>(gray.picture_address));
  }
}

void VpcMisuses(const hi_vpc_pic_info& source) {
  const Memory memory(4096);
  hi_vpc_pic_info to = Picture(memory, HI_PIXEL_FORMAT_YUV_400, 32, 32, 32, 32), bad = source;
  hi_u32 task = 0;
  const auto refused = [&](const hi_vpc_pic_info& from, hi_s32 code, const char* word) {
    Refused("resize", hi_mpi_vpc_resize(0, &from, &to, 0, 0, 0, &task, 0), code, word);
  };
  Refused("channel", hi_mpi_vpc_resize(9, &source, &to, 0, 0, 0, &task, 0), HI_ERR_VPC_UNEXIST,
          "channel 9 was not created");
  Refused("number", hi_mpi_vpc_destroy_chn(-1), HI_ERR_VPC_INVALID_CHN_ID, "channel -1; 0 to");
  Refused("again", hi_mpi_vpc_create_chn(0, nullptr), HI_ERR_VPC_NULL_PTR, "attr");
  Refused("null", hi_mpi_vpc_resize(0, nullptr, &to, 0, 0, 0, &task, 0), HI_ERR_VPC_NULL_PTR,
          "the input is a null pointer");
  Refused("filter", hi_mpi_vpc_resize(0, &source, &to, 0, 0, 7, &task, 0), HI_ERR_VPC_ILLEGAL_PARAM,
          "interpolation 7");
  Refused("task", hi_mpi_vpc_get_process_result(0, 12345, 0), HI_ERR_VPC_ILLEGAL_PARAM,
          "no task 12345");
  Refused("size", hi_mpi_vpc_convert_color(0, &source, &to, &task, 0), HI_ERR_VPC_ILLEGAL_PARAM,
          "does not resize");
  std::vector<hi_u8> host(source.picture_buffer_size);
  bad.picture_address = host.data();
  refused(bad, HI_ERR_VPC_BAD_ADDR, "is no device memory");
  bad = source, bad.picture_buffer_size = 100;
  refused(bad, HI_ERR_VPC_ILLEGAL_PARAM, "picture_buffer_size 100");
  bad = source, bad.picture_width_stride = 8;
  refused(bad, HI_ERR_VPC_ILLEGAL_PARAM, "hi_mpi_sys_get_image_align_info");
  bad = source, bad.picture_width = 4;
  refused(bad, HI_ERR_VPC_ILLEGAL_PARAM, "4 x");
  bad = source, bad.picture_format = HI_PIXEL_FORMAT_YVU_PLANAR_420;
  refused(bad, HI_ERR_VPC_NOT_SUPPORT, "format 20");
}

void CodecMisuses(std::string& file) {
  hi_vdec_chn_attr decoder = {};
  hi_venc_chn_attr encoder = {};
  decoder.type = HI_PT_H265;
  encoder.venc_attr.type = HI_PT_H264;
  Refused("decoder", hi_mpi_vdec_create_chn(1, &decoder), HI_ERR_VDEC_NOT_SUPPORT,
          "decode them in the program (FFmpeg");
  Refused("encoder", hi_mpi_venc_create_chn(1, &encoder), HI_ERR_VENC_NOT_SUPPORT,
          "H.264 and H.265 are not encoded here");
  hi_vdec_stream stream = Stream(file.data(), file.size());
  const Memory small(1024);
  hi_img_info info = InfoOf(file);
  hi_vdec_pic_info output = Output(small, info);
  Refused("host", hi_mpi_vdec_send_stream(0, &stream, &output, 0), HI_ERR_VDEC_BAD_ADDR,
          "the file at");
  const Memory device(file.size());
  Check(aclrtMemcpy(device.at, file.size(), file.data(), file.size(), ACL_MEMCPY_HOST_TO_DEVICE),
        "aclrtMemcpy");
  stream.addr = device.data();
  Refused("small", hi_mpi_vdec_send_stream(0, &stream, &output, 0), HI_ERR_VDEC_ILLEGAL_PARAM,
          "buffer_size 1024");
  Refused("device", hi_mpi_dvpp_get_image_info(HI_PT_JPEG, &stream, &info), HI_ERR_VDEC_BAD_ADDR,
          "reads the file in host memory");
  hi_video_frame_info frame = {};
  Refused("empty", hi_mpi_vdec_get_frame(0, &frame, nullptr, &stream, 0), HI_ERR_VDEC_BUF_EMPTY,
          "nothing yet");
  Refused("frame", hi_mpi_venc_send_frame(0, &frame, 0), HI_ERR_VENC_NULL_PTR, "virt_addr[0]");
  Refused("rates", hi_mpi_venc_set_rc_param(0, nullptr), HI_ERR_VENC_NOT_SUPPORT, "of video");
  Refused("device 1", hi_mpi_dvpp_malloc(1, &frame.v_frame.virt_addr[0], 16),
          HI_ERR_SYS_ILLEGAL_PARAM, "device 1");
}

void Work(std::string& file) {
  const hi_img_info info = InfoOf(file);
  const Memory decoded(info.img_buf_size);
  Decode(file, info, decoded);
  const hi_vpc_pic_info source = Picture(decoded, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420, info.width,
                                         info.height, info.width_stride, info.height_stride);
  const hi_u32 width = info.width / kHalf, height = info.height / kHalf;
  const hi_img_align_info nv12 = Aligned(width, height, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420);
  const hi_img_align_info rgb = Aligned(width, height, HI_PIXEL_FORMAT_RGB_888);
  const Memory resized(nv12.img_buf_size), colours(rgb.img_buf_size);
  hi_vpc_pic_info small = Picture(resized, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420, width, height,
                                  nv12.width_stride, nv12.height_stride);
  hi_vpc_pic_info colour =
      Picture(colours, HI_PIXEL_FORMAT_RGB_888, width, height, rgb.width_stride, rgb.height_stride);
  hi_u32 task = 0;
  Finish(hi_mpi_vpc_resize(0, &source, &small, 0, 0, 0, &task, -1), task, "resize");
  Finish(hi_mpi_vpc_convert_color(0, &small, &colour, &task, -1), task, "convert");
  std::printf("colour: %u %u %u\n", colours.data()[0], colours.data()[1], colours.data()[2]);
  Crops(source);
  Pyramid(source);
  std::string encoded = Encode(small);
  const hi_img_info again = InfoOf(encoded);
  Must(again.width == width && again.height == height, "the size of the encoded file");
  std::printf("encoded: %u x %u\n", again.width, again.height);
  VpcMisuses(source);
}

}  // namespace

int main(int, char** arguments) {
  std::ifstream in(arguments[1], std::ios::binary);
  std::string file(std::istreambuf_iterator<char>(in), {});
  hi_vpc_chn_attr attr = {};
  Session session;
  Refused("early", hi_mpi_vpc_create_chn(0, &attr), HI_ERR_VPC_SYS_NOT_READY, "hi_mpi_sys_init");
  Check(hi_mpi_sys_init(), "hi_mpi_sys_init");
  MakeChannels();
  Work(file);
  CodecMisuses(file);
  EndChannels();
  Check(hi_mpi_sys_exit(), "hi_mpi_sys_exit");
  std::printf("misuses: %d\n", misuses);
  return 0;
}
