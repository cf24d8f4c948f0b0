// The list of rod models with the one that lives here: all that a new model needs besides its own folder.
#ifndef CDG_TESTS_MODELS_LIST_H
#define CDG_TESTS_MODELS_LIST_H

#define LIST_WITH_BEADS(X)                                                                                             \
    CDG_MODEL_LIST(X)                                                                                                  \
    X(CDG_MODEL_BEADS, beads, "point masses on springs, explicit")

#endif
