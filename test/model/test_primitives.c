// SPDX-License-Identifier: Apache-2.0
// Primitives against numbers worked out elsewhere (../shared/reference/primitives.json): gap, row,
// curvature, and the derivative of the gap's rate along a direction. And what holds of any contact:
// the gap changes as fast as matter approaches at the contact point, slips are what is left.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/program/tape.h"
#include "expr/rotation_nodes.h"
#include "math/rotation.h"
#include "model/touch/primitive.h"

#include <math.h>
#include <string.h>

// positions x, y, z, p0 .. p3 of two bodies; velocities v and the spin in axes of each
enum { NQ = 14, NU = 12 };
static const double R1[9] = {0.8802087366026338,   0.31803737307771723,  -0.3522567378123806,
                             -0.07309179551303559, 0.8242283259203348,   0.5615204859835863,
                             0.4689244815927997,   -0.46850816009583784, 0.7487388960689412},
                    R2[9] = {0.9690765520862914,  0.11062272301609744,  -0.2205748157633804,
                             0.15404130470635613, -0.9695195777208365,  0.19053363183536584,
                             -0.1927742530549891, -0.21861930740105043, -0.9565791581414349};
static const double r1[3] = {2.0409191213851825, -2.5556650313141818, 0.41809884672577885},
                    r2[3] = {-2.019986129147251, -0.23193237764418947, -0.8652130762749417};
static const double U[NU] = {-0.2812874181513504,  -0.6680463461089501, -1.0551505512051214,
                             -0.39080097723465473, 0.48194538850678587, -0.2385536065733667,
                             0.9577587029597641,   -0.19980212906658,   0.024259565076664623,
                             1.545820851212812,    0.5451055226876446,  -0.505228735614018},
                    direction[NU] = {-0.1828389745977349, 0.5405251317548021,   1.9350880340988528,
                                     -0.2696203273419135, -0.24355867907910456, 1.0023136012756912,
                                     -0.8864599431605871, -0.291720232439864,   0.8825389674564839,
                                     0.5803500161908991,  0.09151670328235219,  0.6701043548284794};
static const double s1[3] = {-2.8281623068437627, 1.02130681750008, -0.9596447598081417},
                    s2[3] = {-1.6686198426559695, 0.27644575952099965, 0.7005448853493901};
static const double third[3] = {1. / 3, 2. / 3, 2. / 3}, other[3] = {2. / 3, -1. / 3, 2. / 3};

typedef struct expected {
    int primitive;
    const double *d1, *d2;
    double rim, radius, side;
    double gap, row[NU], curvature, along;
} expected;

static const expected reference[] = {
    {CAROM_POINT_PLANE,
     third,
     third,
     0,
     0.1,
     1,
     2.2629005368700126,
     {0.24972412219724183, -0.4679768623548617, -0.8477237280466532, -0.9192662129672453,
      -2.6493545516466437, -0.11042608321416436, -0.24972412219724183, 0.4679768623548617,
      0.8477237280466532, -1.2863116865216488, 1.3007236226316508, -0.6575677793708262},
     -4.3179457505866905,
     -1.5947025315155015},
    {CAROM_POINT_POINT,
     third,
     third,
     0,
     0.1,
     1,
     4.203195537870748,
     {0.9238132115133788, -0.33057033342214065, -0.19311241517445787, -0.5622975974555943,
      -2.5708541394269107, -1.0789013105738026, -0.9238132115133788, 0.33057033342214065,
      0.19311241517445787, 0.3483645153842948, -0.4806937610371871, 1.0194545840673848},
     1.1508912535923368,
     0.46978519304685656},
    {CAROM_POINT_LINE,
     third,
     other,
     0,
     0.1,
     1,
     3.883840119956067,
     {0.8091580613696723, -0.5828434927417242, 0.07454324039845434, -0.8159206618317691,
      -2.3317747634807606, -0.07700912331838938, -0.8091580613696723, 0.5828434927417242,
      -0.07454324039845434, 1.043487423231012, -1.0030711235012457, 0.1920579371412967},
     -0.07503512196826545,
     -1.490432520862006},
    // a ball in a socket, a journal in its bearing
    {CAROM_POINT_POINT,
     third,
     third,
     0,
     3,
     -1,
     -1.3031955378707476,
     {-0.9238132115133788, 0.33057033342214065, 0.19311241517445787, 0.5622975974555943,
      2.5708541394269107, 1.0789013105738026, 0.9238132115133788, -0.33057033342214065,
      -0.19311241517445787, -0.3483645153842948, 0.4806937610371871, -1.0194545840673848},
     -1.1508912535923368,
     -0.46978519304685656},
    {CAROM_POINT_LINE,
     third,
     other,
     0,
     3,
     -1,
     -0.9838401199560671,
     {-0.8091580613696723, 0.5828434927417242, -0.07454324039845434, 0.8159206618317691,
      2.3317747634807606, 0.07700912331838938, 0.8091580613696723, -0.5828434927417242,
      0.07454324039845434, -1.043487423231012, 1.0030711235012457, -0.1920579371412967},
     0.07503512196826545,
     1.490432520862006},
    {CAROM_EDGE_EDGE,
     third,
     other,
     0,
     0.1,
     1,
     -3.896552190541858,
     {-0.8810818204440436, 0.3750053361512437, -0.2882114216007115, 0.5920632764826714,
      0.8124473954698199, 1.3837664524650564, 0.8810818204440436, -0.3750053361512437,
      0.2882114216007115, -0.6092416356484976, 1.4352440278945693, 0.2218437256803268},
     -1.691660362356691,
     3.286117367107266},
    {CAROM_RIM_PLANE,
     third,
     other,
     0.3,
     0.1,
     1,
     1.2498648631706657,
     {0.46212691654324145, 0.5528898169347601, -0.6933625049972658, 0.40251290146044044,
      -1.0712489643774192, -2.6301040679255077, -0.46212691654324145, -0.5528898169347601,
      0.6933625049972658, -1.548471923562838, 1.2307748563746566, 2.1638593517501663},
     -0.15598818818653304,
     1.5184530026024488},
};
enum { N_REFERENCE = sizeof reference / sizeof reference[0] };

static carom_vec numbers(carom_graph *g, const double *x)
{
    return carom_weave_numbers(g, x[0], x[1], x[2]);
}

static carom_touch_body free_body(carom_graph *g, int q, int u, int rotation)
{
    carom_touch_body body;
    carom_vec x, w;
    for (int i = 0; i < 3; i++) {
        x.c[i] = carom_graph_symbol(g, CAROM_Q, q + i);
        w.c[i] = carom_graph_symbol(g, CAROM_U, u + 3 + i);
    }
    body.frame = carom_weave_rotated(g, x, rotation);
    body.velocity = carom_weave_rate(g, x);
    body.spin = carom_weave_direction(g, &body.frame, w);
    return body;
}

static carom_graph *graph_of_two(void)
{
    carom_graph *g = carom_graph_new();
    assert_int_equal(carom_graph_rotation(g, 3, 3), 0);
    for (int i = 0; i < 3; i++) assert_true(carom_graph_moves_with(g, 7 + i, 6 + i));
    assert_int_equal(carom_graph_rotation(g, 10, 9), 1);
    return g;
}

static carom_touch_rows weave(carom_graph *g, const expected *e)
{
    carom_touch_rows rows;
    carom_touch touch = {.body = {free_body(g, 0, 0, 0), free_body(g, 7, 6, 1)},
                         .p1 = numbers(g, s1),
                         .d1 = numbers(g, e->d1),
                         .p2 = numbers(g, s2),
                         .d2 = numbers(g, e->d2),
                         .rim = carom_graph_number(g, e->rim),
                         .radius = carom_graph_number(g, e->radius),
                         .side = carom_graph_number(g, e->side),
                         .first = carom_graph_number(g, 0.07),
                         .dim = 3};
    carom_feature feature = {.primitive = (carom_primitive)e->primitive};
    carom_placement at_1, at_2;
    double t2[3];
    memcpy(at_1.r, r1, sizeof r1);
    memcpy(at_1.R, R1, sizeof R1);
    memcpy(at_2.r, r2, sizeof r2);
    memcpy(at_2.R, R2, sizeof R2);
    memcpy(feature.p1, s1, sizeof s1);
    memcpy(feature.p2, s2, sizeof s2);
    memcpy(feature.d1, e->d1, sizeof feature.d1);
    memcpy(feature.d2, e->d2, sizeof feature.d2);
    carom_touch_tangent(&feature, &at_1, &at_2, t2);
    touch.t2 = numbers(g, t2);
    carom_touch_weave(g, e->primitive, &touch, &rows);
    return rows;
}

static void positions(double *q)
{
    memcpy(q, r1, sizeof r1);
    carom_rotation_quaternion(R1, q + 3);
    memcpy(q + 7, r2, sizeof r2);
    carom_rotation_quaternion(R2, q + 10);
}

static double value_at(carom_graph *g, carom_ref ref, const double *q)
{
    carom_tape *tape = NULL;
    double result = 0;
    carom_ref *list[] = {&ref};
    assert_true(carom_graph_spell_out(g, list, 1));
    assert_int_equal(carom_tape_new(g, &(carom_target){ref, 0}, 1, &tape, NULL), CAROM_OK);
    carom_tape_constants(tape, &result);
    carom_tape_run(tape, &(carom_inputs){.q = q, .u = U}, &result);
    carom_tape_free(tape);
    return result;
}

static double value_of(carom_graph *g, carom_ref ref)
{
    double q[NQ];
    positions(q);
    return value_at(g, ref, q);
}

// along the direction, with bodies moved by e times it
static double difference_of(carom_graph *g, carom_ref ref)
{
    static const double at[4] = {-2, -1, 1, 2};
    const double e = 1e-3;
    double d[4];
    for (int k = 0; k < 4; k++) {
        double q[NQ], from[NQ], th[3];
        positions(from);
        for (int b = 0; b < 2; b++) {
            for (int i = 0; i < 3; i++) {
                q[7 * b + i] = from[7 * b + i] + at[k] * e * direction[6 * b + i];
                th[i] = at[k] * e * direction[6 * b + 3 + i];
            }
            carom_rotation_turn(from + 7 * b + 3, th, q + 7 * b + 3);
        }
        d[k] = value_at(g, ref, q);
    }
    return (d[0] - 8 * d[1] + 8 * d[2] - d[3]) / (12 * e);
}

static void rows_are_those_of_the_reference(void **state)
{
    (void)state;
    for (int k = 0; k < N_REFERENCE; k++) {
        const expected *e = &reference[k];
        carom_graph *g = graph_of_two();
        const carom_touch_rows rows = weave(g, e);
        if (!(fabs(value_of(g, rows.gap) - e->gap) < 4e-15))
            fail_msg("%d: the gap is off by %g", k, value_of(g, rows.gap) - e->gap);
        const carom_ref rate = carom_graph_rate(g, rows.gap);
        carom_ref along = carom_graph_number(g, 0);
        for (int i = 0; i < NU; i++) {
            const double row = value_of(g, carom_graph_derivative(g, rows.gap, CAROM_Q, i));
            if (!(fabs(row - e->row[i]) < 1e-14))
                fail_msg("%d: entry %d of the row is off by %g", k, i, row - e->row[i]);
            along = carom_graph_add(g, along,
                                    carom_graph_mul(g, carom_graph_number(g, direction[i]),
                                                    carom_graph_derivative(g, rate, CAROM_Q, i)));
        }
        const double curvature = value_of(g, carom_graph_rate(g, rate));
        if (!(fabs(curvature - e->curvature) < 3e-14))
            fail_msg("%d: the curvature is %.17g", k, curvature);
        const double change = value_of(g, along);
        if (!(fabs(change - e->along) < 3e-9)) // the reference is a difference of rates
            fail_msg("%d: the rate changes by %.17g", k, change);
        if (!(fabs(change - difference_of(g, rate)) < 1e-9))
            fail_msg("%d: the rate changes by %.17g, its differences by %.17g", k, change,
                     difference_of(g, rate));
        carom_graph_free(g);
    }
}

// velocity of matter of a body at a point c, from the state itself
static void velocity_at(const double *r, const double *R, const double *u, const double *c,
                        double *v)
{
    double W[3], arm[3], turned[3];
    for (int i = 0; i < 3; i++) {
        W[i] = R[3 * i] * u[3] + R[3 * i + 1] * u[4] + R[3 * i + 2] * u[5];
        arm[i] = c[i] - r[i];
    }
    carom_rotation_cross(W, arm, turned);
    for (int i = 0; i < 3; i++) v[i] = u[i] + turned[i];
}

static void slips_and_gap_rate_are_the_velocity_at_the_point(void **state)
{
    (void)state;
    for (int k = 0; k < N_REFERENCE; k++) {
        carom_graph *g = graph_of_two();
        const carom_touch_rows rows = weave(g, &reference[k]);
        double c[3], n[3], v1[3], v2[3], v[3];
        for (int i = 0; i < 3; i++) {
            c[i] = value_of(g, rows.point.c[i]);
            n[i] = value_of(g, rows.normal.c[i]);
        }
        velocity_at(r1, R1, U, c, v1);
        velocity_at(r2, R2, U + 6, c, v2);
        for (int i = 0; i < 3; i++) v[i] = v1[i] - v2[i];
        const double rate = value_of(g, carom_graph_rate(g, rows.gap));
        const double s[2] = {value_of(g, rows.slip[0]), value_of(g, rows.slip[1])};
        assert_true(fabs(carom_rotation_dot(n, n) - 1) < 1e-15 * 4);
        if (!(fabs(carom_rotation_dot(n, v) - rate) < 1e-13)) fail_msg("%d: rate of the gap", k);
        const double square = rate * rate + s[0] * s[0] + s[1] * s[1];
        if (!(fabs(carom_rotation_dot(v, v) - square) < 1e-12)) fail_msg("%d: slips", k);
        carom_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_the_reference),
        cmocka_unit_test(slips_and_gap_rate_are_the_velocity_at_the_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
