// SPDX-License-Identifier: Apache-2.0
// Force chains of a model of equal disks in the plane: at the end of a run each contact is a line
// between the middles of the two, as wide as it presses. SVG on standard output.
//
// Use: chains MODEL STEP END RADIUS TOLERANCE [NAME=VALUE ..]
#include <carom/bodies.h>
#include <carom/modelfile.h>
#include <carom/sim.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 100000 };
static const double WIDTH = 900, WIDEST = 9; // pixels

typedef struct picture {
    carom_contact_line line[MOST_LINES];
    int n;
    long step;
} picture;

static carom_status note_contact(void *self, const carom_contact_line *line, carom_error *error)
{
    picture *p = self;
    (void)error;
    if (line->step != p->step) p->n = 0;
    p->step = line->step;
    if (p->n < MOST_LINES) p->line[p->n++] = *line;
    return CAROM_OK;
}

static void check(carom_status status, const carom_error *error)
{
    if (status == CAROM_OK) return;
    fprintf(stderr, "chains: %s\n", error->message);
    exit(1);
}

static carom_text text(const char *s)
{
    return (carom_text){.text = s};
}

// what all disks that touch something fit in: left, right, bottom, top
static void find_frame(const picture *p, double r, double frame[4])
{
    const double far[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    memcpy(frame, far, sizeof far);
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < 2; k++) {
            frame[2 * k] = fmin(frame[2 * k], p->line[i].point[k] - 2 * r);
            frame[2 * k + 1] = fmax(frame[2 * k + 1], p->line[i].point[k] + 2 * r);
        }
}

static void draw(const picture *p, const carom_model *model, double r)
{
    double frame[4], largest = 0;
    find_frame(p, r, frame);
    const double scale = WIDTH / (frame[1] - frame[0]);
    for (int i = 0; i < p->n; i++) largest = fmax(largest, p->line[i].P);
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\">\n", WIDTH,
           scale * (frame[3] - frame[2]));
    printf("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < p->n; i++) {
            const carom_contact_line *c = &p->line[i];
            double x[2], y[2];
            for (int k = 0; k < 2; k++) { // the normal points from body 2 to body 1
                const double sign = k == 0 ? r : -r;
                x[k] = scale * (c->point[0] + sign * c->normal[0] - frame[0]);
                y[k] = scale * (frame[3] - c->point[1] - sign * c->normal[1]);
                const char *name =
                    c->body[k] < 0 ? "" : carom_model_body_name(model, (int)c->body[k]);
                const int is_disk = c->body[k] >= 0 && strcmp(name, "ground") != 0;
                if (pass == 0 && is_disk)
                    printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\" fill=\"#eef2f7\" "
                           "stroke=\"#b8c4d4\" stroke-width=\"0.7\"/>\n",
                           x[k], y[k], scale * r);
                if (is_disk) continue;
                x[k] = scale * (c->point[0] - frame[0]);
                y[k] = scale * (frame[3] - c->point[1]);
            }
            if (pass == 1 && c->P > 0)
                printf("<path d=\"M%.1f %.1f L%.1f %.1f\" stroke=\"#c1121f\" stroke-width=\"%.2f\" "
                       "stroke-linecap=\"round\"/>\n",
                       x[0], y[0], x[1], y[1], WIDEST * c->P / largest);
        }
    printf("</svg>\n");
}

int main(int argc, char **argv)
{
    carom_error error = {0};
    carom_modelfile *file;
    carom_model *model;
    carom_sim *sim;
    if (argc < 6) {
        fprintf(stderr, "usage: chains MODEL STEP END RADIUS TOLERANCE [NAME=VALUE ...]\n");
        return 2;
    }
    check(carom_modelfile_read(argv[1], &file, &error), &error);
    for (int i = 6; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (!value) return 2;
        *value = 0;
        check(carom_builder_set(carom_modelfile_builder(file), text(argv[i]), text(value + 1),
                                &error),
              &error);
    }
    check(carom_builder_finish(carom_modelfile_builder(file), &model, &error), &error);
    picture *p = calloc(1, sizeof *p);
    if (!p) return 1;
    const carom_setting setting = {text("solver.tolerance"), text(argv[5])};
    carom_sim_options options = carom_sim_default();
    options.step = atof(argv[2]);
    options.end = atof(argv[3]);
    options.every = 10;
    options.setting = &setting;
    options.n_setting = 1;
    check(carom_sim_new(model, &options, &sim, &error), &error);
    const carom_recorder recorder = {.self = p, .contact = note_contact};
    check(carom_sim_add_recorder(sim, recorder, &error), &error);
    check(carom_sim_run(sim, &error), &error);
    draw(p, model, atof(argv[4]));
    free(p);
    carom_sim_free(sim);
    carom_model_free(model);
    carom_modelfile_free(file);
    return 0;
}
