// SPDX-License-Identifier: Apache-2.0
// Shapes as words: which contacts a model gets, with which factors and names, files of triangles
// and heights, what pages are told, and parameters that become numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/carom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static carom_model *finish(carom_modelfile *file, bool is_live)
{
    carom_error error = {0};
    carom_model *model = NULL;
    carom_builder *builder = carom_modelfile_builder(file);
    if (is_live) assert_int_equal(carom_builder_live(builder, (carom_text){0}, &error), CAROM_OK);
    if (carom_builder_finish(builder, &model, &error) != CAROM_OK) fail_msg("%s", error.message);
    carom_modelfile_free(file);
    return model;
}

static carom_model *model_of(const char *text, bool is_live)
{
    carom_error error = {0};
    carom_modelfile *file = NULL;
    if (carom_modelfile_read_text(text, strlen(text), "text", &file, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    return finish(file, is_live);
}

#define THREE(materials, rest)                                                                     \
    "carom: 1\nspace: plane\ngravity: [0, -9.81]\nparameters: {mu: 0.3, r: 0.1, rho: 5}\n"         \
    "bodies:\n"                                                                                    \
    "  a: {density: rho, at: [0, 1], shape: {disk: [0, 0], radius: r}, material: steel}\n"         \
    "  ground: {shape: {half_plane: [0, 0], normal: [0, 1]}, material: ice}\n"                     \
    "  b: {density: 5, at: [1, 1], shape: [{disk: [0, 0], radius: 0.1}, {box: [0.1, 0.4],\n"       \
    "    material: brass, name: handle, colour: red}], material: steel}\n"                         \
    "materials:\n" materials rest

static const char some_materials[] = THREE("  - {between: [steel, steel], restitution: 0.5}\n"
                                           "  - {between: [ice, default], friction: 0.02}\n"
                                           "  - {between: [default, default], friction: mu}\n",
                                           "detection: {ignore: [[b, ground]]}\n");

static const carom_contact_facts *contact_named(const carom_model *model, const char *name)
{
    const carom_contact_facts *facts = NULL;
    for (int i = 0; (facts = carom_model_contact(model, i)); i++)
        if (strcmp(facts->name, name) == 0) return facts;
    return NULL;
}

// a-b: two disks; a and the handle of b come and go; a-ground; b-ground is ignored
static void pairs_of_materials_are_looked_up(void **state)
{
    (void)state;
    carom_model *model = model_of(some_materials, false);
    const carom_contact_facts *disks = contact_named(model, "a.b.1"),
                              *floor = contact_named(model, "a.ground.1");
    assert_non_null(disks);
    assert_non_null(floor);
    assert_true(disks->e == 0.5 && disks->mu == 0 && disks->n_slip == 0);
    assert_true(floor->e == 0 && floor->mu == 0.02 && floor->n_slip == 1);
    assert_null(contact_named(model, "b.ground.1"));
    const carom_contact_facts *slot = contact_named(model, "near1"); // steel against brass
    assert_non_null(slot);
    assert_true(slot->mu == 0.3 && slot->is_near && slot->is_of_shapes);
    carom_model_free(model);
}

static void pages_are_told_what_shapes_look_like(void **state)
{
    (void)state;
    carom_model *model = model_of(some_materials, false);
    assert_int_equal(carom_model_shape_count(model), 4);
    const carom_shape_facts *handle = carom_model_shape(model, 2),
                            *ground = carom_model_shape(model, 3);
    assert_string_equal(handle->kind, "box");
    assert_string_equal(handle->name, "handle");
    assert_string_equal(handle->material, "brass");
    assert_string_equal(handle->colour, "red");
    assert_int_equal(handle->body, carom_model_body(model, "b"));
    assert_int_equal(handle->n_line, 1);
    assert_int_equal(handle->line[0], 4);
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(fabs(handle->point[3 * i]) - 0.05) < 1e-15);
        assert_true(fabs(fabs(handle->point[3 * i + 1]) - 0.2) < 1e-15);
    }
    assert_int_equal(ground->body, 0);
    assert_true(carom_model_shape(model, 0)->point[0] <= 0.1 && ground->n_point >= 4);
    assert_null(carom_model_shape(model, 4));
    assert_null(carom_model_shape(model, -1));
    assert_int_equal(carom_model_shape_count(NULL), 0);
    carom_model_free(model);
}

// the radius decides a shape and becomes a number; density and friction of contacts that last stay
// live
static void sizes_cannot_be_live(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nspace: plane\nparameters: {mu: 0.3, r: 0.1, rho: 5}\nbodies:\n"
        "  a: {density: rho, at: [0, 1], shape: {disk: [0, 0], radius: r}, material: steel}\n"
        "  ground: {shape: {half_plane: [0, 0], normal: [0, 1]}, material: steel}\n"
        "materials: [{between: [steel, steel], friction: mu}]\n";
    carom_model *model = model_of(text, true);
    assert_int_equal(carom_model_n_live(model), 2);
    assert_string_equal(carom_model_live(model, 0).name, "mu");
    assert_string_equal(carom_model_live(model, 1).name, "rho");
    carom_model_free(model);
}

static void joined_bodies_do_not_touch(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nspace: plane\nbodies:\n"
        "  a: {density: 5, at: [0, 0], shape: {disk: [0, 0], radius: 0.1}, material: m}\n"
        "  b: {density: 5, at: [0.3, 0], shape: {disk: [0, 0], radius: 0.1}, material: m}\n"
        "  c: {density: 5, on: {revolute: b, at: [0.6, 0]}, shape: {disk: [0, 0], radius: 0.1},"
        " material: m}\n"
        "joints: {pin: {revolute: [a, b], at: [0.15, 0]}}\n"
        "materials: [{between: [m, m]}]\n";
    char all[1024];
    carom_model *model = model_of(text, false);
    assert_null(contact_named(model, "a.b.1"));
    assert_null(contact_named(model, "b.c.1"));
    assert_non_null(contact_named(model, "a.c.1"));
    carom_model_free(model);
    snprintf(all, sizeof all, "%sdetection: {joined: yes}\n", text);
    model = model_of(all, false);
    assert_non_null(contact_named(model, "a.b.1"));
    assert_non_null(contact_named(model, "b.c.1"));
    carom_model_free(model);
    snprintf(all, sizeof all, "%sdetection: none\n", text);
    model = model_of(all, false);
    assert_null(carom_model_contact(model, 0));
    carom_model_free(model);
}

static void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

// a tetrahedron in each form
static void write_meshes(const char *folder)
{
    char path[600], text[2000];
    unsigned char binary[84 + 4 * 50] = {0};
    int n = snprintf(text, sizeof text,
                     "# a comment\ng part\nv 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\n"
                     "f 1/1/1 3//2 2\nf -4 -3 -1\nf 2 3 4\nf 3 1 4\n");
    snprintf(path, sizeof path, "%s/t.obj", folder);
    write_file(path, text, (size_t)n);
    n = snprintf(text, sizeof text, "solid t\n");
    binary[80] = 4;
    for (int i = 0; i < 4; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            const double *p = corner[face[i][k]];
            n +=
                snprintf(text + n, sizeof text - (size_t)n, " vertex %g %g %g\n", p[0], p[1], p[2]);
            for (int c = 0; c < 3; c++) {
                const float x = (float)p[c];
                memcpy(binary + 84 + 50 * i + 12 + 12 * k + 4 * c, &x, sizeof x);
            }
        }
        n += snprintf(text + n, sizeof text - (size_t)n, "endloop\nendfacet\n");
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "endsolid t\n");
    snprintf(path, sizeof path, "%s/t.stl", folder);
    write_file(path, text, (size_t)n);
    snprintf(path, sizeof path, "%s/b.stl", folder);
    write_file(path, binary, sizeof binary);
}

static double kinetic_energy(const carom_model *model)
{
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_audit audit;
    carom_sim_options options = carom_sim_default();
    options.scheme = "hem5";
    options.end = 1e-3;
    if (carom_sim_new(model, &options, &sim, &error) != CAROM_OK ||
        carom_sim_audit(sim, &audit, NULL, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    carom_sim_free(sim);
    return audit.kinetic_end;
}

// volume 1, centre (1, 2, 3)/4, Jzz = 3 m (a^2 + b^2)/80 about it:
// T = m/2 ((1 - 2/4)^2 + (1/4)^2) + Jzz/2 = 5/16 + 3/16
static void files_of_triangles_are_read(void **state)
{
    (void)state;
    static const char *const name[] = {"t.obj", "t.stl", "b.stl"};
    char folder[] = "/tmp/carom-shapes-XXXXXX", path[600], text[400];
    assert_non_null(mkdtemp(folder));
    write_meshes(folder);
    for (int i = 0; i < 3; i++) {
        carom_error error = {0};
        carom_modelfile *file = NULL;
        const int n =
            snprintf(text, sizeof text,
                     "carom: 1\nspace: space\nbodies:\n  b: {density: 2, at: [0, 0, 0], "
                     "velocity: [1, 0, 0], spin: [0, 0, 1], shape: {mesh: %s}}\ndetection: none\n",
                     name[i]);
        snprintf(path, sizeof path, "%s/m.yaml", folder);
        write_file(path, text, (size_t)n);
        if (carom_modelfile_read(path, &file, &error) != CAROM_OK) fail_msg("%s", error.message);
        carom_model *model = finish(file, false);
        const carom_shape_facts *shape = carom_model_shape(model, 0);
        assert_int_equal(shape->n_triangle, 4);
        assert_int_equal(shape->n_point, 4);
        assert_int_equal(carom_model_sizes(model).nu, 6);
        assert_true(fabs(kinetic_energy(model) - 0.5) < 1e-14);
        carom_model_free(model);
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        assert_int_equal(unlink(path), 0);
    }
    snprintf(path, sizeof path, "%s/m.yaml", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

// no kind is listed that geometry does not know, and its example is one
static void every_kind_is_made_as_its_example_says(void **state)
{
    static const char *const space[] = {"plane", "space"};
    int n = 0;
    (void)state;
    for (; carom_shape_at(n); n++) {
        const carom_fitting_facts *kind = carom_shape_at(n);
        if (strcmp(kind->name, "mesh") == 0 || strcmp(kind->name, "height_field") == 0) continue;
        carom_error error = {0};
        carom_model *model = NULL;
        for (int k = 0; k < 2 && !model; k++) {
            char text[400];
            carom_modelfile *file = NULL;
            const int length =
                snprintf(text, sizeof text,
                         "carom: 1\nspace: %s\nbodies:\n  b: {mass: 1, inertia: %s,\n"
                         "    shape: {%s}}\ndetection: none\n",
                         space[k], k ? "[1, 1, 1]" : "1", kind->example);
            if (carom_modelfile_read_text(text, (size_t)length, "text", &file, &error) != CAROM_OK)
                fail_msg("%s", error.message);
            (void)carom_builder_finish(carom_modelfile_builder(file), &model, &error);
            carom_modelfile_free(file);
        }
        if (!model) fail_msg("%s: %s", kind->example, error.message);
        assert_string_equal(carom_model_shape(model, 0)->kind, kind->name);
        carom_model_free(model);
    }
    assert_true(n >= 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_materials_are_looked_up),
        cmocka_unit_test(pages_are_told_what_shapes_look_like),
        cmocka_unit_test(sizes_cannot_be_live),
        cmocka_unit_test(joined_bodies_do_not_touch),
        cmocka_unit_test(files_of_triangles_are_read),
        cmocka_unit_test(every_kind_is_made_as_its_example_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
