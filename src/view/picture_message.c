// Pictures as bytes. Numbers are stored as the processor has them, which must be little endian.
#include "view/picture_message.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "pictures are little endian");

static const uint32_t magic = 0x31474443; // "CDG1"
enum { COUNT_OFFSET = 12 };

static unsigned char *extend(cdg_picture_draft *draft, size_t size) {
    if (draft->has_failed) return NULL;
    if (draft->capacity - draft->size < size) {
        size_t capacity = 2 * draft->capacity > draft->size + size ? 2 * draft->capacity : draft->size + size;
        unsigned char *grown = realloc(draft->bytes, capacity);
        draft->has_failed = grown == NULL;
        if (draft->has_failed) return NULL;
        draft->bytes = grown;
        draft->capacity = capacity;
    }
    draft->size += size;
    return draft->bytes + draft->size - size;
}

void cdg_draft_begin(cdg_picture_draft *draft, uint32_t epoch, uint32_t index, double time) {
    draft->size = 0;
    draft->has_failed = false;
    draft->index = index;
    draft->block_count = 0;
    uint32_t head[4] = {magic, epoch, index, 0};
    unsigned char *at = extend(draft, sizeof head + sizeof time);
    if (at == NULL) return;
    memcpy(at, head, sizeof head);
    memcpy(at + sizeof head, &time, sizeof time);
}

float *cdg_draft_block(cdg_picture_draft *draft, cdg_block id, size_t count) {
    uint32_t head[2] = {(uint32_t)id, (uint32_t)count};
    unsigned char *at = count <= UINT32_MAX / 8 ? extend(draft, sizeof head + count * sizeof(float)) : NULL;
    if (at == NULL) return draft->has_failed = true, NULL;
    memcpy(at, head, sizeof head);
    draft->block_count++;
    return (float *)(void *)(at + sizeof head); // everything before it is whole numbers of 4 bytes
}

void cdg_draft_vectors(cdg_picture_draft *draft, cdg_block id, const cdg_vec3 *vectors, size_t count) {
    float *to = cdg_draft_block(draft, id, 3 * count);
    for (size_t i = 0; to != NULL && i < count; i++) to = cdg_put_vec3(to, vectors[i]);
}

cdg_message *cdg_draft_finish(cdg_picture_draft *draft) {
    if (draft->has_failed || draft->size == 0) return NULL;
    memcpy(draft->bytes + COUNT_OFFSET, &draft->block_count, sizeof draft->block_count);
    cdg_message *message = cdg_message_create(draft->bytes, draft->size, true);
    if (message != NULL) message->index = draft->index;
    return message;
}

void cdg_draft_free(cdg_picture_draft *draft) {
    free(draft->bytes);
    *draft = (cdg_picture_draft){0};
}

float *cdg_put_vec3(float *to, cdg_vec3 v) {
    to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z;
    return to + 3;
}

float *cdg_put_pose(float *to, cdg_vec3 position, cdg_quat orientation) {
    to = cdg_put_vec3(to, position);
    to[0] = (float)orientation.w, to[1] = (float)orientation.x;
    to[2] = (float)orientation.y, to[3] = (float)orientation.z;
    return to + 4;
}
