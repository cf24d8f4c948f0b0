// Kinds of quantity that a scene knows.
#ifndef CDG_KEYS_QUANTITY_H
#define CDG_KEYS_QUANTITY_H

// X(enumerator, "a …", plural, m, kg, s, rad, SI unit, example).
// Kinds of the same dimension are named after the first.
#define CDG_QUANTITY_LIST(X)                                                                                           \
    X(CDG_NUMBER, "a plain number", "plain numbers", 0, 0, 0, 0, "1", "0.5")                                           \
    X(CDG_ANGLE, "an angle", "angles", 0, 0, 0, 1, "rad", "30 deg")                                                    \
    X(CDG_LENGTH, "a length", "lengths", 1, 0, 0, 0, "m", "2 mm")                                                      \
    X(CDG_AREA, "an area", "areas", 2, 0, 0, 0, "m^2", "3 mm^2")                                                       \
    X(CDG_VOLUME, "a volume", "volumes", 3, 0, 0, 0, "m^3", "1 cm^3")                                                  \
    X(CDG_AREA_MOMENT, "a second moment of area", "second moments of area", 4, 0, 0, 0, "m^4", "12 mm^4")              \
    X(CDG_CURVATURE, "a curvature", "curvatures", -1, 0, 0, 1, "rad/m", "3 1/m")                                       \
    X(CDG_MASS, "a mass", "masses", 0, 1, 0, 0, "kg", "20 g")                                                          \
    X(CDG_DENSITY, "a density", "densities", -3, 1, 0, 0, "kg/m^3", "1100 kg/m^3")                                     \
    X(CDG_LINE_MASS, "a mass per length", "masses per length", -1, 1, 0, 0, "kg/m", "13.8 g/m")                        \
    X(CDG_LINE_INERTIA, "a rotary inertia per length", "rotary inertias per length", 1, 1, 0, 0, "kg m", "1e-8 kg m")  \
    X(CDG_TIME, "a time", "times", 0, 0, 1, 0, "s", "20 ms")                                                           \
    X(CDG_RATE, "a rate", "rates", 0, 0, -1, 0, "1/s", "2 1/s")                                                        \
    X(CDG_ANGULAR_SPEED, "an angular speed", "angular speeds", 0, 0, -1, 1, "rad/s", "1 turn/s")                       \
    X(CDG_SPEED, "a speed", "speeds", 1, 0, -1, 0, "m/s", "5 m/s")                                                     \
    X(CDG_ACCELERATION, "an acceleration", "accelerations", 1, 0, -2, 0, "m/s^2", "-9.81 m/s^2")                       \
    X(CDG_FORCE, "a force", "forces", 1, 1, -2, 0, "N", "12 kN")                                                       \
    X(CDG_LINE_FORCE, "a force per length", "forces per length", 0, 1, -2, 0, "N/m", "3 N/m")                          \
    X(CDG_MOMENT, "a moment or an energy", "moments", 2, 1, -2, 0, "N m", "0.2 N m")                                   \
    X(CDG_TURN_STIFFNESS, "a stiffness of a turn", "stiffnesses of turns", 2, 1, -2, -1, "N m/rad", "0.2 N m/rad")     \
    X(CDG_BENDING, "a bending or twisting stiffness", "bending or twisting stiffnesses", 3, 1, -2, 0, "N m^2",         \
      "1.3 N m^2")                                                                                                     \
    X(CDG_PRESSURE, "a pressure", "pressures", -1, 1, -2, 0, "Pa", "1 MPa")                                            \
    X(CDG_POWER, "a power", "powers", 2, 1, -3, 0, "W", "3 W")                                                         \
    X(CDG_VISCOSITY, "a viscosity", "viscosities", -1, 1, -1, 0, "Pa s", "1 Pa s")                                     \
    X(CDG_STRETCH_FRICTION, "a friction of stretching", "frictions of stretching", 1, 1, -1, 0, "N s", "20 N s")       \
    X(CDG_TURN_FRICTION, "a friction of bending", "frictions of bending", 3, 1, -1, 0, "N m^2 s", "0.5 N m^2 s")

typedef enum cdg_quantity {
#define CDG_QUANTITY_ENUM(name, text, plural, m, kg, s, rad, unit, example) name,
    CDG_QUANTITY_LIST(CDG_QUANTITY_ENUM)
#undef CDG_QUANTITY_ENUM
        CDG_QUANTITY_COUNT
} cdg_quantity;

#endif
