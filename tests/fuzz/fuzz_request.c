// Fuzzes what a page may send: whatever the bytes, a request is refused or within its bounds.
#include "view/request.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static void check_vector(cdg_vec3 v) {
    if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    cdg_request request;
    cdg_error error;
    if (cdg_request_parse((const char *)data, size, &request, &error)) {
        if (request.kind >= CDG_REQUEST_KIND_COUNT || request.hand >= CDG_HANDS_MAX) abort();
        if (request.count > CDG_REQUEST_STEPS_MAX || !isfinite(request.value) || !isfinite(request.twist)) abort();
        if (!(request.fraction >= 0 && request.fraction < 1)) abort();
        if (request.kind == CDG_REQUEST_EDIT && request.text == NULL) abort();
        check_vector(request.point);
        check_vector(request.local);
        check_vector(request.camera.eye);
    } else if (request.text != NULL) {
        abort();
    }
    free(request.text);
    return 0;
}
