// SPDX-License-Identifier: Apache-2.0
// The scenes of bench/many for other programs: the bodies of pile.yaml, wall.yaml and stack.yaml
// with their sizes, places and masses, planes that stand still; and what is asked of a program: the
// contacts of its last step.
#ifndef CAROM_BENCH_SCENE_H
#define CAROM_BENCH_SCENE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scene_body {
    double half[3]; // half sizes of a box; a sphere has its radius in the first, 0 in the others
    double at[3], mass, inertia[3];
} scene_body;

typedef struct scene_plane {
    double normal[3], offset; // normal . x >= offset
} scene_plane;

typedef struct scene {
    const char *name;
    int n_body, n_plane;
    scene_body *body;
    scene_plane plane[5];
    double mu, h;
} scene;

// Which scene: "pile n layers", "wall columns rows", "stack n"; 0 where there is none of this name.
int scene_make(scene *s, int n_word, char **word);
void scene_free(scene *s);

// A contact of the step that was taken last: the normal pushes body 1 (-1 = one that stands still).
typedef struct scene_contact {
    int body[2];
    double point[3], normal[3];
    double impulse[3]; // on body 1, in space
    double depth;
} scene_contact;

// Of one body, before the step was solved: place, rotation (by rows), velocity, spin in space.
typedef struct scene_state {
    double x[3], R[9], v[3], w[3];
} scene_state;

// How far impulses are from the laws of contact for the velocities that the bodies would have
// without: written as a problem for Carom (and to a file, where one is named).
typedef struct scene_verdict {
    double residual, err_rel;
    int n_contact;
} scene_verdict;
int scene_judge(const scene *s, const scene_state *state, const scene_contact *contact,
                int n_contact, const char *file, scene_verdict *verdict);

// What another program does: set-up, one step, and the contacts of that step.
typedef struct scene_engine {
    const char *name;
    void (*begin)(const scene *s);
    void (*look)(scene_state *state); // before a step
    void (*step)(double h);
    int (*contacts)(scene_contact *contact, int room);
} scene_engine;
extern const scene_engine engine;

#ifdef __cplusplus
}
#endif
#endif
