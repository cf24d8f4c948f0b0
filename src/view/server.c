// HTTP and WebSocket on one port.
#include "view/server.h"

#include "base/error.h"
#include "output/json.h"
#include "view/gate.h"
#include "view/page.h"

#include <arpa/inet.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CHUNK = 32 * 1024, RECEIVE_MAX = CDG_REQUEST_EDIT_BYTES_MAX, PORTS_TRIED = 100 };
enum { TICK_US = 200 * 1000 };

typedef struct client {
    struct lws *wsi;
    cdg_board_reader reader;
    char *received; // of a message that is not yet whole
    size_t received_size, received_capacity;
    char fault[256]; // to be told to this client alone; "": none
    struct client *next;
    bool is_open;
} client;

typedef struct page_request {
    size_t sent;
} page_request;

struct cdg_server {
    struct lws_context *context;
    struct lws_protocols protocols[3];
    cdg_board *board;
    cdg_stage *stage;
    cdg_gate gate;
    char listen[256], address[400];
    client *clients;
    size_t client_count;
    const client *holder[CDG_HANDS_MAX]; // whose hand holds something; NULL: nobody's, or pinned
    lws_sorted_usec_list_t tick;
    unsigned char chunk[LWS_PRE + CHUNK];
};

static cdg_server *server_of(struct lws *wsi) { return lws_context_user(lws_get_context(wsi)); }

// ---- the gate -------------------------------------------------------------------------------------------------------

static void copy_header(struct lws *wsi, enum lws_token_indexes token, char *out, size_t size) {
    if (lws_hdr_copy(wsi, out, (int)size, token) < 0) snprintf(out, size, "%s", "?"); // too long: fits nothing
    if (lws_hdr_total_length(wsi, token) == 0) out[0] = '\0';
}

static bool may_enter(struct lws *wsi) {
    cdg_server *server = server_of(wsi);
    char host[256], origin[300], argument[CDG_TOKEN_SIZE + 8];
    copy_header(wsi, WSI_TOKEN_HOST, host, sizeof host);
    copy_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    const char *token = lws_get_urlarg_by_name(wsi, "token=", argument, sizeof argument);
    return cdg_gate_takes_host(&server->gate, host) && cdg_gate_takes_origin(&server->gate, host, origin) &&
           cdg_gate_takes_token(&server->gate, token != NULL ? token : "");
}

static bool asks_for(struct lws *wsi, const char *path) {
    char uri[64];
    copy_header(wsi, WSI_TOKEN_GET_URI, uri, sizeof uri);
    return strcmp(uri, path) == 0;
}

// ---- the page -------------------------------------------------------------------------------------------------------

static int refuse(struct lws *wsi, unsigned status, const char *why) {
    if (lws_return_http_status(wsi, status, why) != 0) return -1;
    return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

static int add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at, unsigned char *end) {
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name, (const unsigned char *)value,
                                       (int)strlen(value), at, end);
}

static int begin_page(struct lws *wsi, page_request *request) {
    static const char *const headers[][2] = {
        {"content-encoding:", "gzip"},
        {"cache-control:", "no-store"},
        {"referrer-policy:", "no-referrer"}, // the address may hold the token
        {"x-content-type-options:", "nosniff"},
        {"content-security-policy:",
         "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src data: blob:; "
         "font-src data:; connect-src 'self' blob: data:; worker-src blob:; frame-ancestors 'none'; base-uri 'none'; "
         "form-action 'none'"},
    };
    unsigned char bytes[LWS_PRE + 2048], *start = bytes + LWS_PRE, *at = start, *end = bytes + sizeof bytes - 1;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0) return refuse(wsi, 405, NULL);
    if (!may_enter(wsi)) return refuse(wsi, 403, NULL);
    if (!asks_for(wsi, "/")) return refuse(wsi, 404, NULL);
    if (lws_add_http_common_headers(wsi, 200, "text/html; charset=utf-8", cdg_page_size, &at, end)) return -1;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (add_header(wsi, headers[i][0], headers[i][1], &at, end)) return -1;
    if (lws_finalize_write_http_header(wsi, start, &at, end)) return -1;
    request->sent = 0;
    lws_callback_on_writable(wsi);
    return 0;
}

static int continue_page(struct lws *wsi, page_request *request) {
    cdg_server *server = server_of(wsi);
    size_t left = cdg_page_size - request->sent, size = left < CHUNK ? left : CHUNK;
    memcpy(server->chunk + LWS_PRE, cdg_page_bytes + request->sent, size);
    if (lws_write(wsi, server->chunk + LWS_PRE, size, size == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
        return -1;
    request->sent += size;
    if (size == left) return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
    lws_callback_on_writable(wsi);
    return 0;
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return -1; // a socket that does not name our protocol
    case LWS_CALLBACK_HTTP: return begin_page(wsi, user);
    case LWS_CALLBACK_HTTP_WRITEABLE: return continue_page(wsi, user);
    default: return lws_callback_http_dummy(wsi, reason, user, in, size);
    }
}

// ---- clients --------------------------------------------------------------------------------------------------------

static int open_client(struct lws *wsi, client *c) {
    cdg_server *server = server_of(wsi);
    *c = (client){.wsi = wsi};
    if (server->client_count >= CDG_SERVER_CLIENTS_MAX) return -1;
    cdg_board_reader_init(server->board, &c->reader);
    c->next = server->clients;
    c->is_open = true;
    server->clients = c;
    server->client_count++;
    lws_callback_on_writable(wsi);
    return 0;
}

// Whoever goes away lets go; what is pinned stays.
static void let_go(cdg_server *server, const client *c) {
    for (uint32_t hand = 0; hand < CDG_HANDS_MAX; hand++) {
        if (server->holder[hand] != c) continue;
        server->holder[hand] = NULL;
        (void)cdg_stage_request(server->stage, &(cdg_request){.kind = CDG_REQUEST_RELEASE, .hand = hand});
    }
}

// Keeps who holds what; a hand that is pinned belongs to nobody until it is freed.
static void note_hand(cdg_server *server, const client *c, const cdg_request *request) {
    const client **holder = &server->holder[request->hand < CDG_HANDS_MAX ? request->hand : 0];
    switch (request->kind) {
    case CDG_REQUEST_GRAB: *holder = c; return;
    case CDG_REQUEST_PIN: *holder = *holder != NULL ? NULL : c; return;
    case CDG_REQUEST_RELEASE: *holder = NULL; return;
    default: return;
    }
}

static void close_client(struct lws *wsi, client *c) {
    cdg_server *server = server_of(wsi);
    if (!c->is_open) return;
    let_go(server, c);
    for (client **link = &server->clients; *link != NULL; link = &(*link)->next) {
        if (*link != c) continue;
        *link = c->next;
        server->client_count--;
        break;
    }
    free(c->received);
    c->received = NULL;
    c->is_open = false;
}

static cdg_message *fault_message(client *c) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "error");
    cdg_json_text(&json, "message", c->fault);
    cdg_json_text(&json, "about", "request");
    cdg_json_end(&json);
    const char *text = cdg_json_finish(&json);
    cdg_message *message = text != NULL ? cdg_message_create(text, json.size, false) : NULL;
    cdg_json_free(&json);
    c->fault[0] = '\0';
    return message;
}

_Static_assert((int)CDG_MESSAGE_FRONT >= (int)LWS_PRE, "room for the frame's header");

// One message at a time: the library asks again when the client has taken it.
static int send_next(struct lws *wsi, client *c) {
    cdg_server *server = server_of(wsi);
    cdg_message *message = c->fault[0] != '\0' ? fault_message(c) : cdg_board_next(server->board, &c->reader);
    if (message == NULL) return 0;
    int written = lws_write(wsi, cdg_message_body(message), message->size,
                            message->is_binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT);
    cdg_message_release(message);
    if (written < 0) return -1;
    if (cdg_board_has_next(server->board, &c->reader)) lws_callback_on_writable(wsi);
    return 0;
}

static void act_on(cdg_server *server, client *c) {
    cdg_request request;
    cdg_error error = {0};
    if (!cdg_request_parse(c->received, c->received_size, &request, &error)) {
        free(request.text);
        snprintf(c->fault, sizeof c->fault, "%s", error.message);
    } else if (request.kind == CDG_REQUEST_ACK) {
        cdg_board_acknowledge(&c->reader, request.index);
    } else {
        note_hand(server, c, &request);
        if (!cdg_stage_request(server->stage, &request))
            snprintf(c->fault, sizeof c->fault, "too many requests are waiting; this one was dropped");
    }
    lws_callback_on_writable(c->wsi);
}

static bool keep_bytes(client *c, const void *bytes, size_t size) {
    if (size > RECEIVE_MAX - c->received_size) return false;
    if (c->received_size + size > c->received_capacity) {
        size_t capacity = 2 * (c->received_size + size);
        char *grown = realloc(c->received, capacity);
        if (grown == NULL) return false;
        c->received = grown;
        c->received_capacity = capacity;
    }
    memcpy(c->received + c->received_size, bytes, size);
    c->received_size += size;
    return true;
}

static int receive(struct lws *wsi, client *c, const void *bytes, size_t size) {
    if (lws_frame_is_binary(wsi) || !keep_bytes(c, bytes, size)) return -1;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) != 0) return 0;
    act_on(server_of(wsi), c);
    c->received_size = 0;
    if (c->received_capacity > CDG_REQUEST_BYTES_MAX) { // an edit; others need little
        free(c->received);
        c->received = NULL;
        c->received_capacity = 0;
    }
    return 0;
}

static void look_at_board(cdg_server *server) {
    for (client *c = server->clients; c != NULL; c = c->next)
        if (cdg_board_has_next(server->board, &c->reader)) lws_callback_on_writable(c->wsi);
}

static int on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t size) {
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return asks_for(wsi, "/socket") && may_enter(wsi) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED: return open_client(wsi, user);
    case LWS_CALLBACK_CLOSED: close_client(wsi, user); return 0;
    case LWS_CALLBACK_RECEIVE: return receive(wsi, user, in, size);
    case LWS_CALLBACK_SERVER_WRITEABLE: return send_next(wsi, user);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: look_at_board(server_of(wsi)); return 0;
    default: return 0;
    }
}

// ---- the port -------------------------------------------------------------------------------------------------------

// Whether this address and port can be had. The answer is tried, not foreseen: some addresses are not this machine's.
static bool is_free(const char *address, int port, int *why) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_PASSIVE}, *found;
    char service[16];
    snprintf(service, sizeof service, "%d", port);
    *why = EADDRNOTAVAIL;
    if (getaddrinfo(address, service, &hints, &found) != 0) return false;
    int file = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    bool is_good = false;
    if (file >= 0) {
        (void)setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        is_good = bind(file, found->ai_addr, found->ai_addrlen) == 0 && listen(file, 1) == 0;
        *why = errno;
        close(file);
    }
    freeaddrinfo(found);
    return is_good;
}

static cdg_result choose_port(cdg_server *server, int asked, cdg_error *error) {
    const char *address = server->gate.listen != NULL ? server->gate.listen : "127.0.0.1";
    int first = asked > 0 ? asked : CDG_SERVER_PORT, last = asked > 0 ? asked : first + PORTS_TRIED - 1, why = 0;
    for (int port = first; port <= last; port++) {
        if (is_free(address, port, &why)) return server->gate.port = port, CDG_OK;
        if (why == EADDRNOTAVAIL)
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "'%s' is not an address of this machine; --listen takes one as numbers, such as 0.0.0.0",
                            address);
    }
    if (asked > 0)
        return cdg_fail(error, CDG_ERROR_IO, "port %d cannot be listened on: %s; without --port a free one is taken",
                        asked, strerror(why));
    return cdg_fail(error, CDG_ERROR_IO, "none of the ports %d to %d can be listened on: %s", first, last,
                    strerror(why));
}

static void write_address(cdg_server *server) {
    const char *host = server->gate.listen != NULL ? server->gate.listen : "127.0.0.1";
    bool is_ipv6 = strchr(host, ':') != NULL;
    snprintf(server->address, sizeof server->address, "http://%s%s%s:%d/%s%s", is_ipv6 ? "[" : "", host,
             is_ipv6 ? "]" : "", server->gate.port, server->gate.token[0] != '\0' ? "?token=" : "", server->gate.token);
}

static void wake(void *user) { lws_cancel_service(user); }

static cdg_result listen_there(cdg_server *server, cdg_error *error) {
    server->protocols[0] =
        (struct lws_protocols){.name = "http", .callback = on_http, .per_session_data_size = sizeof(page_request)};
    server->protocols[1] = (struct lws_protocols){.name = "cordage.1",
                                                  .callback = on_socket,
                                                  .per_session_data_size = sizeof(client),
                                                  .rx_buffer_size = CDG_REQUEST_BYTES_MAX};
    struct lws_context_creation_info info = {
        .port = server->gate.port,
        .iface = server->gate.listen != NULL ? server->gate.listen : "127.0.0.1",
        .protocols = server->protocols,
        .user = server,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
        .fd_limit_per_thread = 1024,
        .timeout_secs = 20,
    };
    if (server->gate.listen != NULL && (strcmp(server->gate.listen, "0.0.0.0") == 0)) info.iface = NULL;
    lws_set_log_level(0, NULL);
    server->context = lws_create_context(&info);
    if (server->context == NULL)
        return cdg_fail(error, CDG_ERROR_IO, "port %d cannot be listened on", server->gate.port);
    cdg_board_set_wake(server->board, wake, server->context);
    return CDG_OK;
}

cdg_result cdg_server_create(const cdg_server_def *def, cdg_server **out, cdg_error *error) {
    cdg_server *server = calloc(1, sizeof *server);
    *out = NULL;
    if (server == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a server");
    server->board = def->board;
    cdg_result result = CDG_OK;
    if (def->listen != NULL) {
        snprintf(server->listen, sizeof server->listen, "%s", def->listen);
        server->gate.listen = server->listen;
        if (!cdg_gate_make_token(server->gate.token))
            result = cdg_fail(error, CDG_ERROR_IO, "the system gives no random numbers for a token");
    }
    if (result == CDG_OK) result = choose_port(server, def->port, error);
    if (result == CDG_OK) result = listen_there(server, error);
    if (result != CDG_OK) {
        free(server);
        return result;
    }
    write_address(server);
    *out = server;
    return CDG_OK;
}

void cdg_server_destroy(cdg_server *server) {
    if (server == NULL) return;
    cdg_board_set_wake(server->board, NULL, NULL);
    lws_context_destroy(server->context);
    free(server);
}

const char *cdg_server_address(const cdg_server *server) { return server->address; }

static void on_tick(lws_sorted_usec_list_t *list) {
    cdg_server *server = (cdg_server *)(void *)((char *)list - offsetof(cdg_server, tick));
    lws_sul_schedule(server->context, 0, &server->tick, on_tick, TICK_US);
}

void cdg_server_run(cdg_server *server, cdg_stage *stage, bool (*must_end)(void)) {
    server->stage = stage;
    on_tick(&server->tick); // so that the end is seen when nothing else happens
    while (!must_end() && lws_service(server->context, 0) >= 0) {
    }
    lws_sul_schedule(server->context, 0, &server->tick, NULL, LWS_SET_TIMER_USEC_CANCEL);
}
