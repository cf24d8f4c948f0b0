// Cordage: elastic rods. This header includes the whole public API.
#ifndef CORDAGE_H
#define CORDAGE_H

#include <cordage/base.h>
#include <cordage/body.h>
#include <cordage/contact.h>
#include <cordage/control.h>
#include <cordage/cut.h>
#include <cordage/geometry.h>
#include <cordage/gradient.h>
#include <cordage/grip.h>
#include <cordage/history.h>
#include <cordage/mesh_files.h>
#include <cordage/meshing.h>
#include <cordage/obstacle.h>
#include <cordage/rod.h>
#include <cordage/run.h>
#include <cordage/scene.h>
#include <cordage/shape.h>
#include <cordage/solid.h>
#include <cordage/strands.h>
#include <cordage/structure.h>
#include <cordage/user_data.h>
#include <cordage/world.h>

#endif
