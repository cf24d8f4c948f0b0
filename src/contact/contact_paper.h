// Contact forces of explicit surfaces in closed form, as `response: paper` asks for: chapter 5 of Spillmann's thesis.
// A point that lies in another surface, and the triangle T that it has passed, are moved apart by their masses in one
// go, and what is left over is left to the next step. Here the formulae; paper_collisions.h finds the points.
#ifndef CDG_CONTACT_CONTACT_PAPER_H
#define CDG_CONTACT_CONTACT_PAPER_H

#include "contact/contacts.h"

// N/m: the force on a point for each metre that it lies deep (5.7, 5.12), in masses over the square of the step, of
// which HUGE_VAL is what never moves: `own` is the point's, `others` the sum over T's corners of c_j h_ij m_j, and
// c the point's own normalisation (5.13).
double cdg_paper_stiffness(double c, double own, double others);

// The forces of the contacts in `list`, which cdg_paper_find has put there, in the pieces' forces and candidates; what
// is then left of each gap is its clearance.
void cdg_paper_respond(cdg_contacts *contacts, const cdg_contact_input *input);

// All of contact in a step of explicit surfaces and obstacles.
cdg_result cdg_contacts_answer_by_paper(cdg_contacts *contacts, const cdg_contact_input *input,
                                        cdg_contact_outcome *out, cdg_error *error);

#endif
