// A model of C functions (docs/models-in-c.md): a ball above a floor, run with any scheme.
//
//     cc -O2 c-model.c $(pkg-config --cflags --libs carom) -lm -o c-model && ./c-model
#include <carom/carom.h>

#include <stdio.h>

typedef struct ball {
    double mass, gravity;
} ball;

// M(q), dense by rows
static int mass(void *user, double t, const double *q, double *M)
{
    (void)t, (void)q;
    M[0] = ((const ball *)user)->mass;
    return 0;
}

static int forces(void *user, double t, const double *q, const double *u, double *f)
{
    (void)t, (void)q, (void)u;
    const ball *b = user;
    f[0] = -b->mass * b->gravity;
    return 0;
}

// > 0 open
static int gaps(void *user, double t, const double *q, double *constraint, double *gap)
{
    (void)user, (void)t, (void)constraint;
    gap[0] = q[0];
    return 0;
}

// the rate of the gap is W u + w0
static int rows(void *user, double t, const double *q, double *W, double *w0)
{
    (void)user, (void)t, (void)q;
    W[0] = 1;
    w0[0] = 0;
    return 0;
}

int main(void)
{
    static const double height = 1, rate = 0;
    static const char *const name[] = {"y"};
    static const carom_contact_facts ground = {.name = "floor", .e = 0.5};
    ball b = {1, 9.81};
    const carom_callbacks given = {.user = &b,
                                   .name = "ball",
                                   .n = 1,
                                   .n_contact = 1,
                                   .contact = &ground,
                                   .coordinate_name = name,
                                   .q0 = &height,
                                   .u0 = &rate,
                                   .mass_is_constant = true,
                                   .mass = mass,
                                   .forces = forces,
                                   .gaps = gaps,
                                   .rows = rows};
    carom_error error = {0};
    carom_model *model = NULL;
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.scheme = "event_driven";
    options.tolerance = 1e-8;
    options.end = 2;
    carom_status status = carom_model_from_callbacks(&given, &model, &error);
    if (status == CAROM_OK) status = carom_sim_new(model, &options, &sim, &error);
    if (status == CAROM_OK) status = carom_sim_run(sim, &error);
    if (status == CAROM_OK)
        printf("t = %g: y = %.6f after %ld events\n", carom_sim_state(sim)->t,
               carom_sim_state(sim)->q[0], carom_sim_counts(sim).events);
    else
        fprintf(stderr, "%s\n", error.message);
    carom_sim_free(sim);
    carom_model_free(model);
    return status == CAROM_OK ? 0 : 1;
}
