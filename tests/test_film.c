// Films: what libavformat reads back has the size, the number of pictures, the duration and roughly the colours; a film
// that fails leaves nothing behind and the old file alone.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/film.h"
#include "run_scene.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 96, HEIGHT = 54, PICTURES = 20 };

static int set_up(void **state) {
    static char base[RUN_PATH_SIZE];
    run_directory_make(base);
    *state = base;
    return 0;
}

static size_t file_count(const char *base, bool should_remove) {
    size_t count = 0;
    DIR *directory = opendir(base);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        count++;
        char path[512];
        snprintf(path, sizeof path, "%s/%s", base, entry->d_name);
        if (should_remove) unlink(path);
    }
    closedir(directory);
    return count;
}

static int tear_down(void **state) {
    file_count(*state, true);
    return rmdir(*state);
}

// Grey rises from picture to picture.
static void fill(unsigned char *rgb, int number) { memset(rgb, 40 + 8 * number, (size_t)3 * WIDTH * HEIGHT); }

typedef struct film_facts {
    int width, height, pictures;
    double duration, rate; // s, 1/s
    double first, last;    // mean luma
} film_facts;

static film_facts read_film(const char *path) {
    film_facts facts = {.pictures = 0};
    AVFormatContext *container = NULL;
    assert_int_equal(avformat_open_input(&container, path, NULL, NULL), 0);
    assert_true(avformat_find_stream_info(container, NULL) >= 0);
    assert_int_equal(container->nb_streams, 1);
    AVStream *stream = container->streams[0];
    const AVCodec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
    assert_non_null(codec);
    AVCodecContext *decoder = avcodec_alloc_context3(codec);
    assert_true(avcodec_parameters_to_context(decoder, stream->codecpar) >= 0);
    assert_int_equal(avcodec_open2(decoder, codec, NULL), 0);
    facts.duration = (double)container->duration / AV_TIME_BASE;
    facts.rate = av_q2d(stream->avg_frame_rate);
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    for (bool is_end = false; !is_end;) {
        is_end = av_read_frame(container, packet) < 0;
        assert_true(avcodec_send_packet(decoder, is_end ? NULL : packet) >= 0);
        while (avcodec_receive_frame(decoder, frame) >= 0) {
            facts.width = frame->width, facts.height = frame->height;
            facts.last = frame->data[0][(HEIGHT / 2) * frame->linesize[0] + WIDTH / 2];
            if (facts.pictures++ == 0) facts.first = facts.last;
        }
        av_packet_unref(packet);
    }
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&decoder);
    avformat_close_input(&container);
    return facts;
}

static void make_film(const char *path, double fps) {
    static unsigned char rgb[3 * WIDTH * HEIGHT];
    cdg_film *film = NULL;
    cdg_error error;
    if (cdg_film_begin(path, WIDTH, HEIGHT, fps, &film, &error) != CDG_OK) fail_msg("%s", error.message);
    for (int i = 0; i < PICTURES; i++) {
        fill(rgb, i);
        if (cdg_film_add(film, rgb, &error) != CDG_OK) fail_msg("%s", error.message);
    }
    if (cdg_film_end(film, &error) != CDG_OK) fail_msg("%s", error.message);
}

static void test_reads_back(void **state) {
    static const char *const names[] = {"film.mp4", "film.webm", "FILM.MP4", "film.mov"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", (char *)*state, names[i]);
        assert_true(cdg_film_is_film(path));
        make_film(path, 25);
        film_facts facts = read_film(path);
        assert_int_equal(facts.width, WIDTH);
        assert_int_equal(facts.height, HEIGHT);
        assert_int_equal(facts.pictures, PICTURES);
        assert_float_equal(facts.duration, PICTURES / 25.0, 0.02);
        assert_float_equal(facts.rate, 25, 0.01);
        // luma of grey g is 16 + g 219/255
        assert_float_equal(facts.first, 16 + 40 * 219 / 255.0, 4);
        assert_float_equal(facts.last, 16 + (40 + 8 * (PICTURES - 1)) * 219 / 255.0, 4);
    }
    assert_int_equal(file_count(*state, false), 4);
}

static void test_same_bytes(void **state) {
    char a[512], b[512], command[1200];
    snprintf(a, sizeof a, "%s/a.mp4", (char *)*state);
    snprintf(b, sizeof b, "%s/b.mp4", (char *)*state);
    make_film(a, 30);
    make_film(b, 30);
    snprintf(command, sizeof command, "cmp -s %s %s", a, b);
    assert_int_equal(system(command), 0);
    // the index stands before the pictures, so that the film plays while it loads
    char head[512];
    FILE *file = fopen(a, "rb");
    assert_non_null(file);
    size_t size = fread(head, 1, sizeof head, file);
    fclose(file);
    bool has_index = false;
    for (size_t i = 0; i + 4 <= size; i++) has_index |= memcmp(head + i, "moov", 4) == 0;
    assert_true(has_index);
}

static void test_abandoned_leaves_nothing(void **state) {
    char path[512];
    static unsigned char rgb[3 * WIDTH * HEIGHT];
    snprintf(path, sizeof path, "%s/film.mp4", (char *)*state);
    FILE *old = fopen(path, "w");
    assert_non_null(old);
    fputs("old", old);
    fclose(old);
    cdg_film *film = NULL;
    assert_int_equal(cdg_film_begin(path, WIDTH, HEIGHT, 30, &film, NULL), CDG_OK);
    assert_int_equal(cdg_film_add(film, rgb, NULL), CDG_OK);
    cdg_film_abandon(film);
    cdg_film_abandon(NULL);
    assert_int_equal(file_count(*state, false), 1);
    char text[8] = "";
    old = fopen(path, "r");
    assert_non_null(old);
    assert_non_null(fgets(text, sizeof text, old));
    fclose(old);
    assert_string_equal(text, "old");
}

static void test_refuses(void **state) {
    (void)state;
    cdg_film *film = NULL;
    cdg_error error;
    assert_int_equal(cdg_film_begin("film.avi", 64, 64, 30, &film, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, ".mp4"));
    assert_int_equal(cdg_film_begin("film.mp4", 63, 64, 30, &film, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "64 x 64"));
    assert_int_equal(cdg_film_begin("film.mp4", 64, 64, 0, &film, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_film_begin("/no/such/place/film.mp4", 64, 64, 30, &film, &error), CDG_ERROR_IO);
    assert_null(film);
    assert_false(cdg_film_is_film("film.png"));
    assert_false(cdg_film_is_film(".mp4"));
    assert_false(cdg_film_is_film("mp4"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reads_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_same_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_abandoned_leaves_nothing, set_up, tear_down),
        cmocka_unit_test(test_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
