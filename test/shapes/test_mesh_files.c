// SPDX-License-Identifier: Apache-2.0
// OBJ, STL (text and binary) and tables of heights: the same cube from all of them, and what is
// wrong with a file is said with its place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shapes/mesh/mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static carom_arena *arena;

static const char cube[] = "# a cube\r\nmtllib none.mtl\no cube\n"
                           "v 0 0 0\nv 1 0 0\nv 1 1 0 # corner\nv 0 1 0\n"
                           "v 0 0 1 0.5 0.5 0.5\nv 1 0 1\n\tv 1 1 1\nv 0 1 1e0\nvn 0 0 1\n"
                           "f 4 3 2 1\nf 5/1 6/2 7/3 8/4\nf 1//1 2//1 6//1 5//1\n"
                           "f -7 -6 -2 -3\nf 3/1/1 4/1/1 8/1/1 7/1/1\nf 4 1 5 8";

static void weigh(const carom_triangles *t, double volume)
{
    const carom_shape_given given = {.kind = "mesh",
                                     .dim = 3,
                                     .place = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                                     .n_point = t->n_point,
                                     .point = t->point,
                                     .n_face = t->n_face,
                                     .face = t->face};
    carom_shape *shape;
    carom_error error = {0};
    carom_shape_mass mass;
    if (carom_shape_new(arena, &given, &shape, &error) != CAROM_OK) fail_msg("%s", error.message);
    assert_true(carom_shape_weigh(shape, 1, &mass));
    assert_true(fabs(mass.mass - volume) < 1e-15);
}

static void obj_gives_a_cube(void **state)
{
    (void)state;
    carom_triangles t;
    carom_error error = {0};
    assert_int_equal(carom_obj_read(arena, "cube.obj", cube, strlen(cube), &t, &error), CAROM_OK);
    assert_int_equal(t.n_point, 8);
    assert_int_equal(t.n_face, 12);
    weigh(&t, 1);
}

/// The cube as STL, text or binary; returns its length.
static size_t write_stl(const carom_triangles *t, int is_binary, char *text, size_t room)
{
    size_t n = 0;
    if (is_binary) {
        memset(text, ' ', 84);
        memcpy(text, "solid misleading", 16);
        const uint32_t count = (uint32_t)t->n_face;
        memcpy(text + 80, &count, 4);
        n = 84;
    } else {
        n += (size_t)snprintf(text, room, "solid a cube of facets\n");
    }
    for (int i = 0; i < t->n_face; i++) {
        float number[12] = {0};
        for (int k = 0; k < 9; k++)
            number[3 + k] = (float)t->point[3 * t->face[3 * i + k / 3] + k % 3];
        if (is_binary) {
            memcpy(text + n, number, sizeof number);
            memset(text + n + 48, 0, 2);
            n += 50;
            continue;
        }
        n += (size_t)snprintf(text + n, room - n, "  facet normal nan 0 0\n outer loop\n");
        for (int k = 1; k < 4; k++)
            n += (size_t)snprintf(text + n, room - n, "vertex %g %g %.3e\n", number[3 * k],
                                  number[3 * k + 1], number[3 * k + 2]);
        n += (size_t)snprintf(text + n, room - n, "endloop endfacet\n");
    }
    if (!is_binary) n += (size_t)snprintf(text + n, room - n, "endsolid\n");
    return n;
}

static void stl_gives_the_same_cube(void **state)
{
    (void)state;
    carom_triangles t, s;
    carom_error error = {0};
    static char text[8192];
    carom_obj_read(arena, "cube.obj", cube, strlen(cube), &t, &error);
    for (int is_binary = 0; is_binary < 2; is_binary++) {
        const size_t n = write_stl(&t, is_binary, text, sizeof text);
        if (carom_stl_read(arena, "cube.stl", text, n, &s, &error) != CAROM_OK)
            fail_msg("%s", error.message);
        assert_int_equal(s.n_point, 8);
        assert_int_equal(s.n_face, 12);
        weigh(&s, 1);
        // whatever is cut off is missed
        for (size_t cut = 1; cut < n - 1; cut += 7) {
            carom_error own = {0};
            if (!is_binary && cut < 10) continue; // blanks at the end, and half of "endsolid"
            assert_int_equal(carom_stl_read(arena, "cube.stl", text, n - cut, &s, &own),
                             CAROM_BAD_INPUT);
        }
    }
}

static void wrong_files_are_refused_with_a_place(void **state)
{
    (void)state;
    static const struct {
        char kind;
        const char *text, *expected;
    } wrong[] = {
        {'o', "v 0 0\n", "f.x:1:6: a vertex has three coordinates"},
        {'o', "v 0 0 q\n", "f.x:1:7: 'q' is not a finite number"},
        {'o', "v 0 0 1e999\n", "f.x:1:7: '1e999' is not a finite number"},
        {'o', "v 0 0 0\nf 1 2 3\n", "f.x:2:5: a corner names vertex 2, and there are 1"},
        {'o', "v 0 0 0\nf 0 1 1\n", "f.x:2:3: a corner names vertex 0"},
        {'o', "v 0 0 0\nf 1 1\n", "f.x:2:6: a face has three corners"},
        {'o', "v 0 0 0\nf 1 x 1\n", "f.x:2:5: a corner of a face is the number of a vertex"},
        {'o', "cstype bezier\n", "f.x:1:1: curved surfaces are not read"},
        {'o', "v 0 0 0\n", "f.x: there is no face in it"},
        {'s', "solid\nfacet\n outer", "f.x:3:2: 'normal' is missing here"},
        {'s', "solid\nfacet normal 0 0 1 outer loop vertex 0 0 z", "'z' is not a finite number"},
        {'s', "solid\nendsolid", "f.x: there is no facet in it"},
        {'s', "solid\n", "ends without 'endsolid'"},
        {'s', "stereo", "this is no STL file: 6 bytes"},
        {'h', "1 2 3\n1 2\n", "f.x:2:4: a row of 2 heights after rows of 3"},
        {'h', "1,2\n1;b\n", "f.x:2:3: 'b' is not a finite number"},
        {'h', "1 2 3\n", "f.x: 1 rows of 3 heights"},
        {'h', "", "f.x: 0 rows of 0 heights"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        carom_triangles t;
        carom_heights h;
        carom_error error = {0};
        const char *text = wrong[i].text;
        const size_t n = strlen(text);
        const carom_status status =
            wrong[i].kind == 'o'   ? carom_obj_read(arena, "f.x", text, n, &t, &error)
            : wrong[i].kind == 's' ? carom_stl_read(arena, "f.x", text, n, &t, &error)
                                   : carom_heights_read(arena, "f.x", text, n, &h, &error);
        assert_int_equal(status, CAROM_BAD_INPUT);
        if (!strstr(error.message, wrong[i].expected)) fail_msg("%s", error.message);
    }
}

static void heights_are_rows(void **state)
{
    (void)state;
    const char *text = "# ground\n1, 2,3\r\n\n4;5 6\n";
    carom_heights h;
    carom_error error = {0};
    assert_int_equal(carom_heights_read(arena, "g.csv", text, strlen(text), &h, &error), CAROM_OK);
    assert_int_equal(h.n_row, 2);
    assert_int_equal(h.n_column, 3);
    for (int i = 0; i < 6; i++) assert_true(h.height[i] == i + 1);
}

static int set_up(void **state)
{
    (void)state;
    arena = carom_arena_new();
    return arena ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    carom_arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_gives_a_cube),
        cmocka_unit_test(stl_gives_the_same_cube),
        cmocka_unit_test(wrong_files_are_refused_with_a_place),
        cmocka_unit_test(heights_are_rows),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
