// From a page's message to a request: every member is looked at, and refused unless it is what the protocol says.
#include "view/request.h"

#include "base/error.h"
#include "view/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double length_limit = 1e6;  // m: farther away nobody drags anything
static const double turn_limit = 1e4;    // rad
static const double number_limit = 1e15; // of controls and times
static const double index_limit = 4294967295.0;

typedef struct parsing {
    const cdg_json_value *message;
    cdg_request *out;
    cdg_error *error;
} parsing;

static bool refuse(const parsing *p, const char *key, const char *wanted) {
    (void)cdg_fail(p->error, CDG_ERROR_ARGUMENT, "'%s' is %s", key, wanted);
    return false;
}

static bool get_number(const parsing *p, const char *key, double low, double high, double *out) {
    const cdg_json_value *value = cdg_json_member(p->message, key);
    if (value == NULL || value->kind != CDG_JSON_NUMBER || !(value->number >= low && value->number <= high))
        return refuse(p, key, "missing, not a number or out of range");
    *out = value->number;
    return true;
}

static bool get_index(const parsing *p, const char *key, double high, uint32_t *out) {
    double number;
    if (!get_number(p, key, 0, high, &number)) return false;
    if (number != floor(number)) return refuse(p, key, "not a whole number");
    *out = (uint32_t)number;
    return true;
}

static bool read_vector(const cdg_json_value *value, cdg_vec3 *out) {
    double numbers[3];
    if (value == NULL || value->kind != CDG_JSON_ARRAY) return false;
    const cdg_json_value *item = value->first;
    for (int i = 0; i < 3; i++, item = item->next) {
        if (item == NULL || item->kind != CDG_JSON_NUMBER || !(fabs(item->number) <= length_limit)) return false;
        numbers[i] = item->number;
    }
    *out = (cdg_vec3){numbers[0], numbers[1], numbers[2]};
    return item == NULL;
}

static bool get_vector(const parsing *p, const char *key, cdg_vec3 *out) {
    return read_vector(cdg_json_member(p->message, key), out) ||
           refuse(p, key, "missing or not three numbers within reach");
}

// The index of a string in a list of words, which ends with NULL.
static bool get_word(const parsing *p, const char *key, const char *const *words, int *out) {
    const cdg_json_value *value = cdg_json_member(p->message, key);
    if (value != NULL && value->kind == CDG_JSON_STRING)
        for (*out = 0; words[*out] != NULL; ++*out)
            if (strcmp(words[*out], value->string) == 0) return true;
    return refuse(p, key, "missing or not one of the words that it may be");
}

static bool get_hand(const parsing *p) { return get_index(p, "hand", CDG_HANDS_MAX - 1, &p->out->hand); }

// ---- each kind ------------------------------------------------------------------------------------------------------

static bool parse_nothing(const parsing *p) { return p->out != NULL; }

static bool parse_step(const parsing *p) {
    p->out->count = 1;
    if (cdg_json_member(p->message, "count") == NULL) return true;
    if (!get_index(p, "count", CDG_REQUEST_STEPS_MAX, &p->out->count)) return false;
    return p->out->count > 0 || refuse(p, "count", "0");
}

static bool parse_speed(const parsing *p) { return get_number(p, "value", 1e-6, 1e6, &p->out->value); }
static bool parse_seek(const parsing *p) { return get_number(p, "time", -number_limit, number_limit, &p->out->value); }

// "place" of a rod: element + fraction.
static bool parse_rod_place(const parsing *p) {
    double place;
    if (!get_number(p, "place", 0, index_limit, &place)) return false;
    p->out->element = (uint32_t)place;
    p->out->fraction = place - floor(place);
    return true;
}

// Or a point in own axes. Supports have none, and of solids the point tells.
static bool parse_place(const parsing *p) {
    if (p->out->object == CDG_GRAB_SUPPORT || p->out->object == CDG_GRAB_SOLID) return true;
    return p->out->object == CDG_GRAB_ROD ? parse_rod_place(p) : get_vector(p, "place", &p->out->local);
}

static bool parse_grab(const parsing *p) {
    static const char *const objects[] = {"rod", "body", "obstacle", "support", "solid", NULL};
    int object;
    if (!get_hand(p) || !get_word(p, "object", objects, &object)) return false;
    p->out->object = (cdg_grab_object)object;
    return get_index(p, "index", index_limit, &p->out->index) && parse_place(p) &&
           get_vector(p, "point", &p->out->point);
}

static bool parse_move(const parsing *p) {
    const cdg_json_value *twist = cdg_json_member(p->message, "twist");
    bool has_twist = twist != NULL && twist->kind != CDG_JSON_NULL;
    p->out->has_twist = has_twist && !(twist->kind == CDG_JSON_NUMBER && twist->number == 0);
    return get_hand(p) && get_vector(p, "point", &p->out->point) &&
           (!has_twist || get_number(p, "twist", -turn_limit, turn_limit, &p->out->twist));
}

static bool parse_cut(const parsing *p) {
    return get_index(p, "rod", index_limit, &p->out->index) && parse_rod_place(p);
}

static bool parse_color(const parsing *p) {
    const cdg_json_value *field = cdg_json_member(p->message, "field");
    const cdg_json_value *component = cdg_json_member(p->message, "component");
    p->out->component = CDG_REQUEST_NORM;
    if (field == NULL || field->kind == CDG_JSON_NULL) return true;
    if (field->kind != CDG_JSON_STRING || field->length >= sizeof p->out->field)
        return refuse(p, "field", "not the name of a field");
    memcpy(p->out->field, field->string, field->length + 1);
    if (component == NULL || component->kind == CDG_JSON_NULL) return true;
    if (component->kind == CDG_JSON_STRING && strcmp(component->string, "norm") == 0) return true;
    uint32_t number;
    if (!get_index(p, "component", 15, &number)) return false;
    p->out->component = (int)number;
    return true;
}

static bool parse_arrows(const parsing *p) {
    const cdg_json_value *contacts = cdg_json_member(p->message, "contacts");
    if (contacts == NULL || contacts->kind != CDG_JSON_BOOLEAN) return refuse(p, "contacts", "neither true nor false");
    p->out->is_on = contacts->number != 0;
    return true;
}

static bool parse_control(const parsing *p) {
    return get_index(p, "index", index_limit, &p->out->index) &&
           get_number(p, "value", -number_limit, number_limit, &p->out->value);
}

static bool parse_edit(const parsing *p) {
    const cdg_json_value *text = cdg_json_member(p->message, "text");
    if (text == NULL || text->kind != CDG_JSON_STRING) return refuse(p, "text", "missing or not a text");
    p->out->text = malloc(text->length + 1);
    if (p->out->text == NULL) return refuse(p, "text", "too long for the memory there is");
    memcpy(p->out->text, text->string, text->length + 1);
    return true;
}

static bool parse_record(const parsing *p) {
    static const char *const actions[] = {"start", "stop", "save", NULL};
    int action;
    if (!get_word(p, "action", actions, &action)) return false;
    p->out->action = (cdg_record_action)action;
    return true;
}

static bool parse_camera(const parsing *p) {
    cdg_request_camera *camera = &p->out->camera;
    parsing inner = {cdg_json_member(p->message, "camera"), p->out, p->error};
    if (inner.message == NULL || inner.message->kind == CDG_JSON_NULL) return true;
    camera->is_set = true;
    return get_vector(&inner, "eye", &camera->eye) && get_vector(&inner, "at", &camera->at) &&
           get_vector(&inner, "up", &camera->up) && get_number(&inner, "fov", 0.001, 3.1, &camera->fov);
}

static bool parse_film(const parsing *p) {
    p->out->from = 0, p->out->to = -1;
    bool has_times = cdg_json_member(p->message, "from") != NULL || cdg_json_member(p->message, "to") != NULL;
    return parse_camera(p) && (!has_times || (get_number(p, "from", -number_limit, number_limit, &p->out->from) &&
                                              get_number(p, "to", -number_limit, number_limit, &p->out->to)));
}

static bool parse_ack(const parsing *p) { return get_index(p, "index", index_limit, &p->out->index); }

// ---- all ------------------------------------------------------------------------------------------------------------

static bool (*const parsers[CDG_REQUEST_KIND_COUNT])(const parsing *) = {
    [CDG_REQUEST_PLAY] = parse_nothing, [CDG_REQUEST_PAUSE] = parse_nothing, [CDG_REQUEST_STEP] = parse_step,
    [CDG_REQUEST_SPEED] = parse_speed,  [CDG_REQUEST_RESET] = parse_nothing, [CDG_REQUEST_UNDO] = parse_nothing,
    [CDG_REQUEST_SEEK] = parse_seek,    [CDG_REQUEST_GRAB] = parse_grab,     [CDG_REQUEST_MOVE] = parse_move,
    [CDG_REQUEST_PIN] = get_hand,       [CDG_REQUEST_RELEASE] = get_hand,    [CDG_REQUEST_CUT] = parse_cut,
    [CDG_REQUEST_COLOR] = parse_color,  [CDG_REQUEST_ARROWS] = parse_arrows, [CDG_REQUEST_CONTROL] = parse_control,
    [CDG_REQUEST_EDIT] = parse_edit,    [CDG_REQUEST_RECORD] = parse_record, [CDG_REQUEST_PICTURE] = parse_camera,
    [CDG_REQUEST_FILM] = parse_film,    [CDG_REQUEST_ACK] = parse_ack,
};

static bool find_kind(const cdg_json_value *message, cdg_request_kind *out) {
    static const char *const words[] = {
#define REQUEST_WORD(name, word) word,
        CDG_REQUEST_LIST(REQUEST_WORD)
#undef REQUEST_WORD
    };
    const cdg_json_value *type = cdg_json_member(message, "type");
    if (type == NULL || type->kind != CDG_JSON_STRING) return false;
    for (int i = 0; i < CDG_REQUEST_KIND_COUNT; i++) {
        if (strcmp(words[i], type->string) != 0) continue;
        *out = (cdg_request_kind)i;
        return true;
    }
    return false;
}

static bool parse_message(const char *bytes, size_t size, cdg_json_document *document, char *text, cdg_request *out,
                          cdg_error *error) {
    parsing p = {cdg_json_read(bytes, size, text, document), out, error};
    if (p.message == NULL) {
        (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "the message is not JSON: %s", document->fault);
        return false;
    }
    if (!find_kind(p.message, &out->kind)) return refuse(&p, "type", "missing or unknown");
    if (size > CDG_REQUEST_BYTES_MAX && out->kind != CDG_REQUEST_EDIT) {
        (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "the message is longer than %d bytes", CDG_REQUEST_BYTES_MAX);
        return false;
    }
    return parsers[out->kind](&p);
}

bool cdg_request_parse(const char *bytes, size_t size, cdg_request *out, cdg_error *error) {
    *out = (cdg_request){0};
    if (size > CDG_REQUEST_EDIT_BYTES_MAX) {
        (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "the message is longer than %d bytes", CDG_REQUEST_EDIT_BYTES_MAX);
        return false;
    }
    char *text = malloc(size + 1);
    cdg_json_document *document = malloc(sizeof *document);
    bool is_good = text != NULL && document != NULL;
    if (is_good)
        is_good = parse_message(bytes, size, document, text, out, error);
    else
        (void)cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a message");
    free(text);
    free(document);
    return is_good;
}
