// SPDX-License-Identifier: Apache-2.0
// What no scheme may depend on, and what the Moreau family promises: the unit of length and of
// mass, the order in which contacts are listed, and no gain of energy in impacts without friction.
#include "battery/battery_rig.h"

// two discs in a corner; all lengths are multiples of s, all masses of k
#define CORNER                                                                                     \
    "carom: 1\n"                                                                                   \
    "parameters: {s: 1, k: 1}\n"                                                                   \
    "coordinates:\n"                                                                               \
    "  x: {start: 0.8*s, rate: -1.5*s}\n"                                                          \
    "  y: {start: 0.5*s}\n"                                                                        \
    "  z: {start: 1.1*s, rate: -1.25*s}\n"                                                         \
    "kinetic: k*(der(x)^2 + der(y)^2 + 2*der(z)^2)/2\n"                                            \
    "potential: k*9.75*s*(y + x/2) + k*2*(z - x)^2\n"                                              \
    "contacts:\n"
#define LAND "  - {name: floor, gap: y - s/4, restitution: 0.5}\n"
#define WALL "  - {name: wall, gap: x - s/4, restitution: 0.5}\n"
#define PAIR "  - {name: pair, gap: z - x - s/8, restitution: 0.5}\n"
static const char *const corner = CORNER LAND WALL PAIR, *const reversed = CORNER PAIR WALL LAND;

static carom_model *scaled(const char *s, const char *k)
{
    carom_error error = {0};
    carom_modelfile *file = file_from_text(corner);
    must(carom_builder_set(carom_modelfile_builder(file), text_of("s"), text_of(s), &error),
         &error);
    must(carom_builder_set(carom_modelfile_builder(file), text_of("k"), text_of(k), &error),
         &error);
    return finish_file(file);
}

// a tolerance in metres is a stated option of some schemes
static bool has_length_option(const carom_scheme *scheme)
{
    for (const carom_option *o = scheme->option; o && o->name; o++)
        if (strstr(o->help, "[m]") || strstr(o->name, "tol")) return true;
    return false;
}

// powers of two change no digit: the same bits, times the unit
static void units_change_nothing(void **state)
{
    (void)state;
    carom_model *plain = scaled("1", "1"), *other = scaled("1024", "1/4096");
    for (int k = 0; k < carom_scheme_count(); k++) {
        const carom_scheme *scheme = carom_scheme_at(k);
        if (scheme->is_adaptive) continue;
        carom_sim *a = accepted_sim(plain, scheme, 1. / 512, 1),
                  *b = accepted_sim(other, scheme, 1. / 512, 1);
        if (!a) continue;
        run_to_end(a);
        run_to_end(b);
        assert_true(carom_sim_counts(a).contact_steps > 20);
        for (int i = 0; i < 3; i++)
            near(scheme->name, carom_sim_state(b)->q[i] / 1024, carom_sim_state(a)->q[i],
                 has_length_option(scheme) ? 1e-6 : 1e-12);
        carom_sim_free(a);
        carom_sim_free(b);
    }
    carom_model_free(plain);
    carom_model_free(other);
}

static void the_order_of_contacts_changes_nothing(void **state)
{
    (void)state;
    carom_model *one = model_from_text(corner), *other = model_from_text(reversed);
    for (int k = 0; k < carom_scheme_count(); k++) {
        const carom_scheme *scheme = carom_scheme_at(k);
        carom_sim *a = accepted_sim(one, scheme, 1. / 512, 1),
                  *b = accepted_sim(other, scheme, 1. / 512, 1);
        if (!a) continue;
        run_to_end(a);
        run_to_end(b);
        // rounding of 512 steps, and of about 20 impacts that amplify it
        for (int i = 0; i < 3; i++)
            near(scheme->name, carom_sim_state(b)->q[i], carom_sim_state(a)->q[i],
                 has_length_option(scheme) ? 1e-6 : 1e-9);
        carom_sim_free(a);
        carom_sim_free(b);
    }
    carom_model_free(one);
    carom_model_free(other);
}

// Constant mass and constant forces: without contact these two keep the energy to rounding, and
// with it, a being the free acceleration,
//
//     dE = (1 - e)/2 P.gamma-
//     (1 + e) P.gamma- = -h P.W a - P.G P <= h^2 (W a).G^-1 (W a)/4
//
// The last term, which a contact that opens while still active can gain, is h^2 g^2 M/4 for bodies
// that rest on each other.
static void the_moreau_family_gains_no_energy(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_midpoint", "moreau_jean"};
    carom_model *const models[] = {
        shipped_model("bouncing-ball", NULL, NULL), shipped_model("ball-in-box", NULL, NULL),
        shipped_model("column-of-beads", NULL, NULL),
        changed_model("chain-of-balls", CHANGES("e=0.7", "separation=0.01", "n=6"))};
    // no gravity in the chain
    static const double e[] = {0.9, 0.3, 0.9, 0.7}, mass[] = {1, 1, 10, 0};
    const double h = 2e-3;
    for (int m = 0; m < 4; m++) {
        const double gain = (1 - e[m]) / (1 + e[m]) / 8 * h * h * 9.81 * 9.81 * mass[m];
        for (int k = 0; k < 2; k++) {
            carom_sim *sim = sim_of(models[m], schemes[k], h, 1.5);
            carom_error error = {0};
            carom_audit audit;
            double energy = audited_energy(sim, &audit);
            const double rounding = 4e-15 * fmax(fabs(energy), 1);
            while (!carom_sim_is_done(sim)) {
                must(carom_sim_step(sim, &error), &error);
                const double next = audited_energy(sim, &audit);
                if (!(next <= energy + gain + rounding))
                    fail_msg("%s gains %g J", schemes[k], next - energy);
                energy = next;
            }
            assert_true(audit.energy_end < audit.energy_start - 0.01);
            near("balance", audit.energy_error, 0, 1e-12 * fmax(fabs(audit.energy_start), 1));
            carom_sim_free(sim);
        }
        carom_model_free(models[m]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_change_nothing),
        cmocka_unit_test(the_order_of_contacts_changes_nothing),
        cmocka_unit_test(the_moreau_family_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
