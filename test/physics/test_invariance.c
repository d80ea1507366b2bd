// SPDX-License-Identifier: Apache-2.0
// What must not matter: the unit of length (no absolute tolerance anywhere), the order in which
// contacts are written, and a repeated run.
#include "physics/rig.h"

#include <stdlib.h>

enum { STEPS = 2000 };

static void run_plan(rig *r, const char *const *change)
{
    rig_open(r, &(rig_plan){.model = "slider-crank",
                            .scheme = "moreau_midpoint",
                            .step = 1e-4,
                            .end = 0.2,
                            .change = change});
}

// Lengths in millimetres: lengths and gravity times 1e3, inertias times 1e6.
// The angles must not notice.
static void unit_of_length_does_not_change_the_motion(void **state)
{
    const char *const change[] = {"l1=153", "l2=306", "a=50",   "b=25",         "c=1",
                                  "J1=74",  "J2=590", "J3=2.7", "gravity=9810", NULL};
    rig metres, millimetres;
    (void)state;
    run_plan(&metres, NULL);
    run_plan(&millimetres, change);
    rig_step(&metres, STEPS);
    rig_step(&millimetres, STEPS);
    for (int i = 0; i < 3; i++) {
        rig_near(rig_state(&millimetres)->q[i], rig_state(&metres)->q[i], 1e-9);
        // rates are of order 100: relative 1e-9
        rig_near(rig_state(&millimetres)->u[i], rig_state(&metres)->u[i], 1e-7);
    }
    const carom_audit mm = rig_audit(&millimetres), m = rig_audit(&metres);
    rig_near(mm.min_gap / 1e3, m.min_gap, 1e-9);
    rig_near(mm.energy_end / 1e6, m.energy_end, 1e-9);
    assert_int_equal(carom_sim_counts(metres.sim).contact_steps,
                     carom_sim_counts(millimetres.sim).contact_steps);
    rig_close(&metres);
    rig_close(&millimetres);
}

static char *read_model(const char *name, size_t *length)
{
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 65536);
    assert_non_null(text);
    *length = fread(text, 1, 65535, file);
    fclose(file);
    return text;
}

// Writes the model's text with its contacts from the last to the first.
static void reverse_contacts(const char *text, char *out)
{
    const char *item[16], *end = strstr(text, "\nrun:");
    int n = 0;
    assert_non_null(end);
    for (const char *at = strstr(text, "  - name: c"); at != NULL && at < end;
         at = strstr(at + 1, "  - name: c"))
        item[n++] = at;
    assert_int_equal(n, 4);
    item[n] = end;
    size_t used = (size_t)(item[0] - text);
    memcpy(out, text, used);
    for (int i = n - 1; i >= 0; i--) {
        const size_t size = (size_t)(item[i + 1] - item[i]);
        memcpy(out + used, item[i], size);
        used += size;
        if (out[used - 1] != '\n') out[used++] = '\n';
    }
    memcpy(out + used, end, strlen(end) + 1);
}

static void order_of_contacts_does_not_change_the_motion(void **state)
{
    size_t length;
    rig forward, backward;
    const char *const change[] = {"mu=0.1", "start th3=0.01", NULL};
    (void)state;
    char *text = read_model("slider-crank", &length), *turned = calloc(1, 65536);
    assert_non_null(turned);
    reverse_contacts(text, turned);
    run_plan(&forward, change);
    memset(&backward, 0, sizeof backward);
    rig_must(&backward, carom_modelfile_read_text(turned, strlen(turned), "turned", &backward.file,
                                                  &backward.error));
    rig_build(&backward,
              &(rig_plan){.scheme = "moreau_midpoint", .step = 1e-4, .end = 0.2, .change = change});
    assert_string_equal(carom_model_contact(backward.model, 0)->name, "c4");
    rig_step(&forward, STEPS / 4);
    rig_step(&backward, STEPS / 4);
    for (int i = 0; i < 3; i++) {
        rig_near(rig_state(&backward)->q[i], rig_state(&forward)->q[i], 1e-9);
        rig_near(rig_state(&backward)->u[i], rig_state(&forward)->u[i], 1e-7);
    }
    rig_close(&forward);
    rig_close(&backward);
    free(text);
    free(turned);
}

static void repeated_run_gives_the_same_bits(void **state)
{
    rig first, second;
    (void)state;
    run_plan(&first, NULL);
    run_plan(&second, NULL);
    rig_step(&first, STEPS);
    rig_step(&second, STEPS);
    assert_memory_equal(rig_state(&first)->q, rig_state(&second)->q, 3 * sizeof(double));
    assert_memory_equal(rig_state(&first)->u, rig_state(&second)->u, 3 * sizeof(double));
    assert_memory_equal(rig_state(&first)->P, rig_state(&second)->P, 8 * sizeof(double));
    rig_close(&first);
    rig_close(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_of_length_does_not_change_the_motion),
        cmocka_unit_test(order_of_contacts_does_not_change_the_motion),
        cmocka_unit_test(repeated_run_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
