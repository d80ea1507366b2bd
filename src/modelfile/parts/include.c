// SPDX-License-Identifier: Apache-2.0
// The files that make up a model. Each is merged after all that it includes, and only once: what
// two parts need, they may both include.
//
//     part = the model's own file
//     while there is a part:
//         it wants another file:  find it; one that is new becomes the part
//         else:                   merge it, go back to who included it
//
// A file that is found among those that led to it would include itself without end. There is no
// recursion: how deep includes go is a limit, not a matter of the stack.
#define _XOPEN_SOURCE 700 // realpath
#include "modelfile/parts/include.h"

#include <stdlib.h>
#include <string.h>

typedef struct gathering {
    const carom_include *include;
    carom_part *first, *last;
    carom_error *error;
    double n_file, n_byte;
} gathering;

static carom_status no_memory(gathering *g)
{
    return carom_fail(g->error, CAROM_NO_MEMORY, "memory ran out while files were included");
}

static bool is_same(const carom_part *part, const char *path)
{
    return part->path && strcmp(part->path, path) == 0;
}

// "a.yaml -> b.yaml -> a.yaml", where the last would be read again
static carom_status refuse_cycle(gathering *g, const carom_part *part, const carom_found *found)
{
    const char *chain = found->origin.name;
    bool is_whole = false;
    for (; chain && !is_whole; part = part->includer) {
        is_whole = is_same(part, found->path);
        chain = carom_arena_format(g->include->arena, "%s -> %s", part->origin.name, chain);
    }
    if (!chain) return no_memory(g);
    return carom_fail_at(g->error, found->named.place, CAROM_BAD_INPUT,
                         "'%.100s' is included by itself: %.600s", found->named.text, chain);
}

// one more file, before it is read
static carom_status count_file(gathering *g, const carom_part *from, carom_place place)
{
    const carom_limits *limits = g->include->access->limits;
    if (from->level + 1 > limits->include_levels)
        return carom_limit_fail(g->error, place, "files are included through", "include_levels",
                                limits->include_levels);
    if (++g->n_file > limits->included_files)
        return carom_limit_fail(g->error, place, "the model includes", "included_files",
                                limits->included_files);
    return CAROM_OK;
}

static carom_status open_part(gathering *g, carom_part *from, const carom_found *found,
                              carom_part **result)
{
    const carom_include *it = g->include;
    const carom_limits *limits = it->access->limits;
    const carom_node *root = NULL;
    carom_source source;
    CAROM_TRY(count_file(g, from, found->named.place));
    CAROM_TRY(carom_allowed_load(it->arena, found, CAROM_SOURCE_PART, limits, &source, g->error));
    g->n_byte += (double)source.length;
    if (g->n_byte > limits->model_bytes)
        return carom_limit_fail(g->error, found->named.place,
                                "the model and the files it includes have", "model_bytes",
                                limits->model_bytes);
    source.name = found->origin.name;
    carom_part *part = CAROM_TAKE(it->arena, carom_part, 1);
    if (!part) return no_memory(g);
    *part = (carom_part){
        .origin = found->origin, .path = found->path, .includer = from, .level = from->level + 1};
    *result = part;
    CAROM_TRY(carom_document_parse(it->arena, &source, &root, g->error));
    return it->read(part, root, g->error);
}

// the next file that a part wants: new, or NULL where it has been merged already
static carom_status follow(gathering *g, carom_part *part, carom_part **result)
{
    carom_text named;
    carom_found found;
    const carom_node *wanted = part->wanted;
    part->wanted = wanted->next;
    *result = NULL;
    CAROM_TRY(carom_fields_text(wanted, "include: [wheel.yaml]", &named, g->error));
    CAROM_TRY(carom_allowed_find(g->include->arena, g->include->access, &part->origin, named,
                                 &found, g->error));
    for (const carom_part *done = g->first; done; done = done->next)
        if (is_same(done, found.path)) return CAROM_OK;
    for (const carom_part *above = part; above; above = above->includer)
        if (is_same(above, found.path)) return refuse_cycle(g, part, &found);
    return open_part(g, part, &found, result);
}

static void merge(gathering *g, carom_part *part)
{
    if (g->last)
        g->last->next = part;
    else
        g->first = part;
    g->last = part;
}

carom_status carom_include_all(const carom_include *include, const carom_source *source,
                               carom_part *top, carom_part **first, carom_error *error)
{
    gathering g = {.include = include, .error = error, .n_byte = (double)source->length};
    // a text, or a pipe, has no path, and nothing includes it
    char *path = top->wanted ? realpath(source->name, NULL) : NULL;
    if (path) top->path = carom_arena_string(include->arena, path);
    free(path);
    for (carom_part *part = top, *found; part;) {
        found = NULL;
        if (part->wanted) {
            CAROM_TRY(follow(&g, part, &found));
            if (found) part = found;
            continue;
        }
        merge(&g, part);
        part = part->includer;
    }
    *first = g.first;
    return CAROM_OK;
}
