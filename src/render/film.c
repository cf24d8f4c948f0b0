// libavformat writes under a temporary name (output/whole_file.h). Encoders get a fixed number of threads: their output
// depends on it, and films are to be the same whatever --threads says.
#include "render/film.h"

#include "base/error.h"
#include "output/whole_file.h"
#include "render/libav.h"
#include "render/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ENCODER_THREADS = 2 };

typedef struct film_format {
    const char *ending, *container;
    enum AVCodecID codec;
    const char *codec_name;
    const char *encoders[3]; // the best first
} film_format;

static const film_format formats[] = {
    {".mp4", "mp4", AV_CODEC_ID_H264, "H.264", {"libx264", "libopenh264", NULL}},
    {".m4v", "mp4", AV_CODEC_ID_H264, "H.264", {"libx264", "libopenh264", NULL}},
    {".mov", "mov", AV_CODEC_ID_H264, "H.264", {"libx264", "libopenh264", NULL}},
    {".webm", "webm", AV_CODEC_ID_VP9, "VP9", {"libvpx-vp9", NULL, NULL}},
    {".gif", "gif", AV_CODEC_ID_GIF, "GIF", {"gif", NULL, NULL}},
};

struct cdg_film {
    cdg_libav av;
    const film_format *format;
    cdg_whole_file file;
    AVFormatContext *container;
    AVCodecContext *encoder;
    AVStream *stream; // belongs to the container
    AVFrame *frame;
    AVPacket *packet;
    struct SwsContext *converter; // NULL for GIF, whose pictures have a palette
    cdg_palette *palette;         // GIF alone
    int64_t count;
};

static bool has_palette(const cdg_film *film) { return film->format->codec == AV_CODEC_ID_GIF; }

static const film_format *find_format(const char *path) {
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t ending = strlen(formats[i].ending);
        if (length > ending && strcasecmp(path + length - ending, formats[i].ending) == 0) return &formats[i];
    }
    return NULL;
}

bool cdg_film_is_film(const char *path) { return find_format(path) != NULL; }

static cdg_result fail_av(cdg_error *error, const cdg_film *film, const char *what, int code) {
    char text[AV_ERROR_MAX_STRING_SIZE] = "";
    film->av.av_strerror(code, text, sizeof text);
    cdg_result result = code == AVERROR(ENOMEM) ? CDG_ERROR_MEMORY : CDG_ERROR_IO;
    return cdg_fail(error, result, "%s: %s: %s", film->file.path ? film->file.path : "film", what, text);
}

static void set_encoder_options(const cdg_film *film, AVCodecContext *encoder, const char *name) {
    // Quality that hides its losses; sizes stay small since backgrounds do not move.
    if (strcmp(name, "libx264") == 0) {
        film->av.av_opt_set(encoder->priv_data, "preset", "fast", 0);
        film->av.av_opt_set(encoder->priv_data, "crf", "18", 0);
    } else if (strcmp(name, "libvpx-vp9") == 0) {
        film->av.av_opt_set(encoder->priv_data, "deadline", "good", 0);
        film->av.av_opt_set(encoder->priv_data, "cpu-used", "5", 0);
        film->av.av_opt_set(encoder->priv_data, "crf", "24", 0);
        film->av.av_opt_set(encoder->priv_data, "row-mt", "1", 0);
        encoder->bit_rate = 0;
    } else {
        encoder->bit_rate = 8000000;
    }
}

static cdg_result open_encoder(cdg_film *film, int width, int height, double fps, cdg_error *error) {
    const AVCodec *codec = NULL;
    for (int i = 0; !codec && film->format->encoders[i]; i++)
        codec = film->av.avcodec_find_encoder_by_name(film->format->encoders[i]);
    if (!codec) codec = film->av.avcodec_find_encoder(film->format->codec);
    if (!codec)
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "%s: this machine's libavcodec cannot write %s; try another ending "
                        "(.mp4, .webm), or install the full libavcodec package",
                        film->file.path, film->format->codec_name);
    AVCodecContext *encoder = film->encoder = film->av.avcodec_alloc_context3(codec);
    if (!encoder) return fail_av(error, film, "encoder", AVERROR(ENOMEM));
    encoder->width = width;
    encoder->height = height;
    encoder->framerate = film->av.av_d2q(fps, 1001000);
    encoder->time_base = av_inv_q(encoder->framerate);
    encoder->pix_fmt = has_palette(film) ? AV_PIX_FMT_PAL8 : AV_PIX_FMT_YUV420P;
    encoder->gop_size = (int)fmax(1, lround(2 * fps)); // one can jump every two seconds
    encoder->thread_count = ENCODER_THREADS;
    if (!has_palette(film)) {
        encoder->color_range = AVCOL_RANGE_MPEG;
        encoder->colorspace = AVCOL_SPC_BT709;
        encoder->color_primaries = AVCOL_PRI_BT709;
        encoder->color_trc = AVCOL_TRC_BT709;
    }
    if (film->container->oformat->flags & AVFMT_GLOBALHEADER) encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    encoder->flags |= AV_CODEC_FLAG_BITEXACT;
    set_encoder_options(film, encoder, codec->name);
    int code = film->av.avcodec_open2(encoder, codec, NULL);
    return code < 0 ? fail_av(error, film, "the encoder refuses this size or rate", code) : CDG_OK;
}

static cdg_result open_container(cdg_film *film, cdg_error *error) {
    film->stream = film->av.avformat_new_stream(film->container, NULL);
    if (!film->stream) return fail_av(error, film, "container", AVERROR(ENOMEM));
    film->stream->time_base = film->encoder->time_base;
    film->stream->avg_frame_rate = film->encoder->framerate;
    int code = film->av.avcodec_parameters_from_context(film->stream->codecpar, film->encoder);
    if (code < 0) return fail_av(error, film, "container", code);
    film->container->flags |= AVFMT_FLAG_BITEXACT;
    code = film->av.avio_open(&film->container->pb, film->file.temporary_path, AVIO_FLAG_WRITE);
    if (code < 0) return fail_av(error, film, "cannot be written", code);
    AVDictionary *options = NULL;
    // The index goes first, so that a film plays while it is being loaded.
    if (film->format->codec == AV_CODEC_ID_H264) film->av.av_dict_set(&options, "movflags", "+faststart", 0);
    code = film->av.avformat_write_header(film->container, &options);
    film->av.av_dict_free(&options);
    return code < 0 ? fail_av(error, film, "cannot be written", code) : CDG_OK;
}

static cdg_result open_converter(cdg_film *film, cdg_error *error) {
    const AVCodecContext *encoder = film->encoder;
    film->converter =
        film->av.sws_getContext(encoder->width, encoder->height, AV_PIX_FMT_RGB24, encoder->width, encoder->height,
                                AV_PIX_FMT_YUV420P, SWS_BILINEAR | SWS_ACCURATE_RND | SWS_BITEXACT, NULL, NULL, NULL);
    if (!film->converter) return fail_av(error, film, "pictures", AVERROR(ENOMEM));
    const int *bt709 = film->av.sws_getCoefficients(SWS_CS_ITU709);
    film->av.sws_setColorspaceDetails(film->converter, bt709, 1, bt709, 0, 0, 1 << 16, 1 << 16);
    return CDG_OK;
}

static cdg_result open_frames(cdg_film *film, cdg_error *error) {
    const AVCodecContext *encoder = film->encoder;
    film->frame = film->av.av_frame_alloc();
    film->packet = film->av.av_packet_alloc();
    if (has_palette(film)) film->palette = calloc(1, sizeof *film->palette);
    if (!film->frame || !film->packet || (has_palette(film) && !film->palette))
        return fail_av(error, film, "pictures", AVERROR(ENOMEM));
    if (!has_palette(film)) {
        cdg_result result = open_converter(film, error);
        if (result != CDG_OK) return result;
    }
    film->frame->format = encoder->pix_fmt;
    film->frame->width = encoder->width;
    film->frame->height = encoder->height;
    int code = film->av.av_frame_get_buffer(film->frame, 0);
    return code < 0 ? fail_av(error, film, "pictures", code) : CDG_OK;
}

static cdg_result open_all(cdg_film *film, const char *path, int width, int height, double fps, cdg_error *error) {
    cdg_result result = cdg_whole_file_begin_named(path, &film->file, error);
    if (result != CDG_OK) return result;
    // with its name: the index is moved to the front by reading the file again
    int code = film->av.avformat_alloc_output_context2(&film->container, NULL, film->format->container,
                                                       film->file.temporary_path);
    if (code < 0) return fail_av(error, film, "container", code);
    result = open_encoder(film, width, height, fps, error);
    if (result == CDG_OK) result = open_frames(film, error);
    if (result == CDG_OK) result = open_container(film, error);
    return result;
}

cdg_result cdg_film_begin(const char *path, int width, int height, double fps, cdg_film **out, cdg_error *error) {
    *out = NULL;
    const film_format *format = find_format(path);
    if (!format)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: a film's name ends in .mp4 (H.264), .webm (VP9) or .gif", path);
    if (width % 2 != 0 || height % 2 != 0 || width < 2 || height < 2)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a film's width and height must be even, not %d x %d; try %d x %d",
                        width, height, width + width % 2, height + height % 2);
    if (!(fps > 0 && fps <= 1000))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a film has up to 1000 pictures a second, not %g", fps);
    cdg_film *film = calloc(1, sizeof *film);
    if (!film) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a film");
    film->format = format;
    cdg_result result = cdg_libav_load(&film->av, error);
    if (result != CDG_OK) {
        free(film);
        return result;
    }
    film->av.av_log_set_level(AV_LOG_QUIET); // errors come back as codes; nothing is printed
    result = open_all(film, path, width, height, fps, error);
    if (result != CDG_OK) {
        cdg_film_abandon(film);
        return result;
    }
    *out = film;
    return CDG_OK;
}

// Hands a picture (NULL: there are no more) to the encoder and writes what comes out.
static cdg_result encode(cdg_film *film, const AVFrame *frame, cdg_error *error) {
    int code = film->av.avcodec_send_frame(film->encoder, frame);
    while (code >= 0) {
        code = film->av.avcodec_receive_packet(film->encoder, film->packet);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return CDG_OK;
        if (code < 0) break;
        if (film->packet->duration == 0) film->packet->duration = 1;
        film->av.av_packet_rescale_ts(film->packet, film->encoder->time_base, film->stream->time_base);
        film->packet->stream_index = film->stream->index;
        code = film->av.av_interleaved_write_frame(film->container, film->packet);
    }
    return fail_av(error, film, "cannot be written", code);
}

// Each picture has its own 256 colours.
static void put_indexed(cdg_film *film, const unsigned char *rgb) {
    size_t width = (size_t)film->encoder->width, height = (size_t)film->encoder->height;
    cdg_palette_choose(rgb, width * height, film->palette);
    for (size_t y = 0; y < height; y++) {
        uint8_t *row = film->frame->data[0] + y * (size_t)film->frame->linesize[0];
        for (size_t x = 0; x < width; x++) row[x] = cdg_palette_index(film->palette, rgb + 3 * (y * width + x));
    }
    for (size_t i = 0; i < CDG_PALETTE_SIZE; i++) {
        const uint8_t *c = film->palette->colors[i];
        uint32_t argb = 0xff000000U | (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
        memcpy(film->frame->data[1] + 4 * i, &argb, 4);
    }
}

cdg_result cdg_film_add(cdg_film *film, const unsigned char *rgb, cdg_error *error) {
    int code = film->av.av_frame_make_writable(film->frame);
    if (code < 0) return fail_av(error, film, "pictures", code);
    if (has_palette(film)) {
        put_indexed(film, rgb);
    } else {
        const uint8_t *const rows[] = {rgb};
        const int stride[] = {3 * film->encoder->width};
        film->av.sws_scale(film->converter, rows, stride, 0, film->encoder->height, film->frame->data,
                           film->frame->linesize);
    }
    film->frame->pts = film->count++;
    return encode(film, film->frame, error);
}

static void free_film(cdg_film *film) {
    if (film->container && film->container->pb) film->av.avio_closep(&film->container->pb);
    film->av.avformat_free_context(film->container);
    film->av.avcodec_free_context(&film->encoder);
    film->av.av_frame_free(&film->frame);
    film->av.av_packet_free(&film->packet);
    film->av.sws_freeContext(film->converter);
    free(film->palette);
    free(film);
}

cdg_result cdg_film_end(cdg_film *film, cdg_error *error) {
    cdg_result result = encode(film, NULL, error);
    int code = result == CDG_OK ? film->av.av_write_trailer(film->container) : 0;
    if (code < 0) result = fail_av(error, film, "cannot be completed", code);
    int closing = film->av.avio_closep(&film->container->pb);
    if (result == CDG_OK && closing < 0) result = fail_av(error, film, "cannot be completed", closing);
    if (result == CDG_OK)
        result = cdg_whole_file_end(&film->file, error);
    else
        cdg_whole_file_abandon(&film->file);
    free_film(film);
    return result;
}

void cdg_film_abandon(cdg_film *film) {
    if (!film) return;
    if (film->container && film->container->pb) film->av.avio_closep(&film->container->pb);
    cdg_whole_file_abandon(&film->file);
    free_film(film);
}
