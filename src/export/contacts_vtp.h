// Contacts of an output as points of a VTK file, with their forces.
#ifndef CDG_EXPORT_CONTACTS_VTP_H
#define CDG_EXPORT_CONTACTS_VTP_H

#include "export/vtp.h"
#include "output/run_reader.h"

// Makes the file in `vtp`. `output` counts those of the run.
cdg_result cdg_contacts_vtp_make(cdg_vtp *vtp, const cdg_run_reader *reader, size_t output, cdg_error *error);

#endif
