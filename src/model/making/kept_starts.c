// SPDX-License-Identifier: Apache-2.0
// What is assembled of a start, and what of it is kept: names of coordinates, or of bodies and
// rotations, whose coordinates begin with that name and a dot.
#include "base/text.h"
#include "model/bodies/bodies.h"

#include <string.h>

// "x" of "der(x)", and of any other name all
static size_t bare_name(const char *velocity, const char **name)
{
    const size_t n = strlen(velocity);
    const bool is_rate = strncmp(velocity, "der(", 4) == 0 && velocity[n - 1] == ')';
    *name = is_rate ? velocity + 4 : velocity;
    return is_rate ? n - 5 : n;
}

static bool is_meant(const char *velocity, const char *kept)
{
    const char *name;
    const size_t n = bare_name(velocity, &name), length = strlen(kept);
    if (length > n || memcmp(name, kept, length) != 0) return false;
    return length == n || name[length] == '.';
}

static carom_status refuse_kept(carom_making *making, carom_text kept)
{
    const carom_model *model = making->model;
    carom_nearest nearest = carom_nearest_to(kept.text);
    char hint[160];
    for (int i = 0; making->bodies && i < making->bodies->body.n; i++)
        if (strcmp(making->bodies->body.item[i].name, kept.text) == 0)
            return carom_fail_at(making->error, kept.place, CAROM_BAD_INPUT,
                                 "'%s' has no coordinates of its own to keep (name those that "
                                 "carry it)",
                                 kept.text);
    for (int i = 0; i < model->size.nq; i++)
        carom_nearest_try(&nearest, model->names.coordinate[i]);
    for (int i = 0; making->bodies && i < making->bodies->body.n; i++)
        carom_nearest_try(&nearest, making->bodies->body.item[i].name);
    return carom_fail_at(making->error, kept.place, CAROM_BAD_INPUT,
                         "there is no coordinate or body '%s' to keep%s", kept.text,
                         carom_nearest_hint(&nearest, hint, sizeof hint));
}

static carom_status keep(carom_making *making, carom_text kept, unsigned char *is_kept)
{
    const carom_model *model = making->model;
    bool is_any = false;
    for (int i = 0; i < model->size.nu; i++) {
        if (!is_meant(model->names.velocity[i], kept.text)) continue;
        is_kept[i] = 1;
        is_any = true;
    }
    return is_any ? CAROM_OK : refuse_kept(making, kept);
}

carom_status carom_making_assembly(carom_making *making)
{
    const carom_builder *builder = making->builder;
    carom_model *model = making->model;
    unsigned char *is_kept = CAROM_TAKE(model->arena, unsigned char, model->size.nu);
    if (!is_kept) return carom_making_no_memory(making);
    for (int i = 0; i < builder->assembly.kept.n; i++)
        CAROM_TRY(keep(making, builder->assembly.kept.item[i], is_kept));
    model->assembly =
        (carom_assembly){.what = builder->assembly.what, .is_kept = is_kept, .done = {.moved = ""}};
    if (builder->assembly.kept.n > 0 && builder->assembly.what == 0)
        return carom_fail_at(making->error, builder->assembly.kept.item[0].place, CAROM_BAD_INPUT,
                             "nothing is assembled, so nothing is kept (write positions: assemble "
                             "or velocities: assemble beside it)");
    return CAROM_OK;
}
