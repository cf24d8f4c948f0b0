// libav, loaded when a film is made: its hundred libraries take 40 ms to load, which no other command should wait for.
// The only user of it.
#ifndef CDG_RENDER_LIBAV_H
#define CDG_RENDER_LIBAV_H

#include <cordage/base.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

// The one list of functions that films need, library by library.
#define CDG_AVFORMAT_LIST(X)                                                                                           \
    X(avformat_alloc_output_context2)                                                                                  \
    X(avformat_free_context)                                                                                           \
    X(avformat_new_stream)                                                                                             \
    X(avformat_write_header)                                                                                           \
    X(av_interleaved_write_frame)                                                                                      \
    X(av_write_trailer)                                                                                                \
    X(avio_open)                                                                                                       \
    X(avio_closep)
#define CDG_AVCODEC_LIST(X)                                                                                            \
    X(avcodec_find_encoder)                                                                                            \
    X(avcodec_find_encoder_by_name)                                                                                    \
    X(avcodec_alloc_context3)                                                                                          \
    X(avcodec_free_context)                                                                                            \
    X(avcodec_open2)                                                                                                   \
    X(avcodec_parameters_from_context)                                                                                 \
    X(avcodec_receive_packet)                                                                                          \
    X(avcodec_send_frame)                                                                                              \
    X(av_packet_alloc)                                                                                                 \
    X(av_packet_free)                                                                                                  \
    X(av_packet_rescale_ts)
#define CDG_AVUTIL_LIST(X)                                                                                             \
    X(av_d2q)                                                                                                          \
    X(av_dict_free)                                                                                                    \
    X(av_dict_set)                                                                                                     \
    X(av_frame_alloc)                                                                                                  \
    X(av_frame_free)                                                                                                   \
    X(av_frame_get_buffer)                                                                                             \
    X(av_frame_make_writable)                                                                                          \
    X(av_log_set_level)                                                                                                \
    X(av_opt_set)                                                                                                      \
    X(av_strerror)
#define CDG_SWSCALE_LIST(X)                                                                                            \
    X(sws_getContext)                                                                                                  \
    X(sws_freeContext)                                                                                                 \
    X(sws_getCoefficients)                                                                                             \
    X(sws_setColorspaceDetails)                                                                                        \
    X(sws_scale)

typedef struct cdg_libav {
#define CDG_LIBAV_MEMBER(name) __typeof__(&name) name;
    CDG_AVFORMAT_LIST(CDG_LIBAV_MEMBER)
    CDG_AVCODEC_LIST(CDG_LIBAV_MEMBER)
    CDG_AVUTIL_LIST(CDG_LIBAV_MEMBER)
    CDG_SWSCALE_LIST(CDG_LIBAV_MEMBER)
#undef CDG_LIBAV_MEMBER
} cdg_libav;

// Loads the versions that Cordage was built with, once for a process. CDG_ERROR_UNSUPPORTED: they are not there.
cdg_result cdg_libav_load(cdg_libav *out, cdg_error *error);

#endif
