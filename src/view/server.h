// HTTP and WebSocket on one port (the only user of libwebsockets): serves the page, hands requests to the stage, sends
// what is on the board.
#ifndef CDG_VIEW_SERVER_H
#define CDG_VIEW_SERVER_H

#include "view/board.h"
#include "view/stage.h"

typedef struct cdg_server cdg_server;

typedef struct cdg_server_def {
    cdg_board *board;
    const char *listen; // address; NULL: the loopback, without a token
    int port;           // 0: the default or the next free one after it
} cdg_server_def;

enum { CDG_SERVER_PORT = 8850, CDG_SERVER_CLIENTS_MAX = 64 };

cdg_result cdg_server_create(const cdg_server_def *def, cdg_server **out, cdg_error *error);
void cdg_server_destroy(cdg_server *server);              // NULL is fine; before the board is freed
const char *cdg_server_address(const cdg_server *server); // "http://127.0.0.1:8850/"
// Serves until `must_end` (asked a few times a second) says so.
void cdg_server_run(cdg_server *server, cdg_stage *stage, bool (*must_end)(void));

#endif
