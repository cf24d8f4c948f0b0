// Obstacles and bodies in one numbering, and where they are in the course of a step.
#ifndef CDG_CONTACT_SHAPE_MOTION_H
#define CDG_CONTACT_SHAPE_MOTION_H

#include "contact/contacts.h"
#include "math/quat.h"

// Obstacles come first, then bodies.
typedef struct cdg_contact_shape {
    cdg_contact_side side;
    const cdg_obstacle *form;   // NULL: it touches nothing
    const cdg_body_piece *body; // NULL: an obstacle
} cdg_contact_shape;

static inline size_t cdg_contact_shape_count(const cdg_contacts *c, const cdg_contact_input *input) {
    return input->obstacle_count + c->body_count;
}

static inline cdg_contact_shape cdg_contact_shape_at(const cdg_contacts *c, const cdg_contact_input *input,
                                                     size_t number) {
    uint32_t none = (uint32_t)c->pieces.element_count;
    if (number < input->obstacle_count)
        return (cdg_contact_shape){{CDG_SIDE_OBSTACLE, (uint32_t)number, 0, none}, &input->obstacles[number], NULL};
    uint32_t index = (uint32_t)(number - input->obstacle_count);
    return (cdg_contact_shape){{CDG_SIDE_BODY, index, 0, none}, c->bodies[index].shape, &c->bodies[index]};
}

// Whether no contact changes its motion.
static inline bool contact_shape_is_still(const cdg_contact_shape *it) {
    return it->body == NULL || it->body->body->def.is_fixed;
}

static inline cdg_pose pose_between(const cdg_pose *from, const cdg_pose *to, double time) {
    cdg_quat turn = quat_power(quat_relative(from->orientation, to->orientation), time);
    return (cdg_pose){vec3_lerp(from->position, to->position, time), quat_multiply(from->orientation, turn)};
}

// The shape's point that is at `point` when it is at `pose`, at another pose.
static inline cdg_vec3 carry(cdg_vec3 point, const cdg_pose *pose, const cdg_pose *other) {
    cdg_vec3 own = quat_rotate_inverse(pose->orientation, vec3_sub(point, pose->position));
    return vec3_add(other->position, quat_rotate(other->orientation, own));
}

#endif
