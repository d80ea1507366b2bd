// SPDX-License-Identifier: Apache-2.0
// From features of two convex cores to the features of a meeting.
#ifndef CAROM_SHAPES_CONTACT_H
#define CAROM_SHAPES_CONTACT_H

#include "shapes/solid/solid.h"

/// Where contacts of two cores go.
typedef struct carom_contact {
    const carom_solid_pair *pair;
    carom_meeting *meeting;
    int who_a;     ///< which of the meeting's two is a
    double radius; ///< of both shapes together
    /// The distance of the cores: a contact that seems nearer is past the border of its features.
    double shortest;
    /// The smallest distance of cores that a contact with its point on both features has.
    double least;
} carom_contact;

/// Vertex i of a over face j of b; vertex j of b over face i of a.
void carom_contact_a_face(carom_contact *c, int i, int j, double margin);
void carom_contact_b_face(carom_contact *c, int i, int j, double margin);
/// Any point (axes of a) of the edge i of a over face j of b, which has come there past edge k.
void carom_contact_cut(carom_contact *c, const double *x, int i, int j, int k, double margin);
/// Two edges, at their feet; n is from a to b.
void carom_contact_edges(carom_contact *c, int i, int j, const double *n);
void carom_contact_points(carom_contact *c, int i, int j);
/// Vertex i of a and edge j of b; edge i of a and vertex j of b. Adds nothing where the foot is not
/// on the edge, unless it has to be there.
void carom_contact_a_line(carom_contact *c, int i, int j, bool has_to_be);
void carom_contact_b_line(carom_contact *c, int i, int j, bool has_to_be);

/// All corners of the contact polygon of two faces (or of what stands in for one) along way->n.
void carom_contact_polygon(carom_contact *c, const carom_way *way);
/// Corners of the contact polygon, and what is nearest if it is none of them.
void carom_contact_add(carom_contact *c, const carom_way *way);
/// What the way alone says: one contact, or two where edges are nearly parallel.
void carom_contact_single(carom_contact *c, const carom_way *way);

#endif
