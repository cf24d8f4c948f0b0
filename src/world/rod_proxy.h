// What rods and nets of any model show to contact (contact/proxy.h).
#ifndef CDG_WORLD_ROD_PROXY_H
#define CDG_WORLD_ROD_PROXY_H

#include "contact/contacts.h"
#include "rods/net.h"
#include "rods/rod.h"

// The proxies of rods and the joints of their nets, in memory of their own.
typedef struct cdg_rod_proxies {
    cdg_proxy_list list;
    cdg_proxy *proxies;
    cdg_proxy_joint *joints;
    cdg_proxy_member *members;
    size_t member_count;
} cdg_rod_proxies;

cdg_proxy cdg_rod_proxy(cdg_rod *rod); // NULL: of nobody
// What a rod is to be predicted with; NULL: contact does not ask how it answers.
cdg_touch cdg_rod_touch_of(const cdg_coupled *coupled);

// `rods` by index, NULL where there is none; nets are those of the rods.
cdg_result cdg_rod_proxies_build(cdg_rod_proxies *out, cdg_rod *const *rods, size_t rod_count, cdg_net *const *nets,
                                 size_t net_count, cdg_error *error);
void cdg_rod_proxies_free(cdg_rod_proxies *proxies);
// Contacts of these rods (contacts.h: cdg_contacts_build).
cdg_result cdg_rod_contacts_build(cdg_contacts *contacts, cdg_rod *const *rods, size_t rod_count, cdg_net *const *nets,
                                  size_t net_count, cdg_error *error);

// After rods have changed their resolution: nodes that are joined, in the order in which nets list them.
void cdg_rod_proxies_renumber(cdg_pieces *pieces, cdg_net *const *nets, size_t net_count);

#endif
