// SPDX-License-Identifier: Apache-2.0
// A model file into a builder and a run section. The table of sections says what may stand in a
// file and in which order it is read, whatever its order in the file: names come before their use.
// Of several files (include.c) a section is read from all before the next section.
#include "modelfile/reader.h"

#include "modelfile/parts/beams.h"
#include "modelfile/parts/components.h"
#include "modelfile/parts/elastic_section.h"

#include "base/limits.h"
#include "base/need.h"

#include <stdlib.h>
#include <string.h>

static carom_status read_nothing(carom_modelfile *file, const carom_node *node, carom_error *error);

// one row for each section: its key and form, and who reads it, in the order of reading
// clang-format off
#define SECTIONS(row)                                                                              \
    row("carom", TEXT, true, "carom: 1", read_nothing)                                             \
    row("name", TEXT, false, "name: bouncing-ball", read_nothing)                                  \
    row("about", TEXT, false, "about: what it shows", read_nothing)                                \
    row("source", TEXT, false, "source: where its numbers come from", read_nothing)                \
    row("include", LIST, false, "include: [wheel.yaml]", read_nothing)                             \
    row("parameters", ANY, false, "parameters: {m: 1, k: 100}", carom_read_parameters)             \
    row("tables", ANY, false, "tables: {lift: {file: cam.csv}}", carom_read_tables)                \
    row("coordinates", ANY, true, "coordinates: {x: {start: 1}}", carom_read_coordinates)          \
    row("define", ANY, false, "define: {y: -l*cos(phi)}", carom_read_define)                       \
    row("kinetic", ANY, true, "kinetic: m/2*der(x)^2", carom_read_kinetic)                         \
    row("potential", ANY, false, "potential: m*g*x", carom_read_potential)                         \
    row("forces", ANY, false, "forces: [{coordinate: x, force: -c*der(x)}]", carom_read_forces)    \
    row("constraints", ANY, false, "constraints: [{name: rod, equation: x^2 + y^2 - l^2}]",        \
        carom_read_constraints)                                                                    \
    row("friction", ANY, false, "friction: [{name: belt, slip_rate: der(x) - v, limit: mu*N}]",    \
        carom_read_friction)                                                                       \
    row("contacts", ANY, false, "contacts: [{name: floor, gap: y}]", carom_read_contacts)          \
    row("record", ANY, false, "record: {speed: der(x)}", carom_read_record)                        \
    row("draw", ANY, false, "draw: [{line: [[0, 0], [x, y]]}]", carom_read_draw)                   \
    row("run", ANY, false, "run: {step: 1e-3, end: 1}", carom_read_run)                            \
    row("space", TEXT, false, "space: plane", carom_read_space)                                    \
    row("gravity", ANY, false, "gravity: [0, -9.81]", carom_read_gravity)                          \
    row("bodies", ANY, false, "bodies: {crank: {mass: 1, inertia: 0.1}}", carom_read_bodies)       \
    row("beams", ANY, false, "beams: {cord: {elements: 20, section: {radius: 0.005}}}",             \
        carom_read_beams)                                                                          \
    row("elastic", ANY, false, "elastic: {bar: {kind: bar, from: [0, 0], to: [1, 0]}}",             \
        carom_read_elastic)                                                                        \
    row("joints", ANY, false, "joints: {pin: {revolute: [ground, crank], at: [0, 0]}}",            \
        carom_read_joints)                                                                         \
    row("motors", ANY, false, "motors: {drive: {on: pin, angle: 2*pi*t}}", carom_read_motors)      \
    row("force elements", ANY, false, "force elements: {s: {spring: [a, b], stiffness: 10}}",      \
        carom_read_elements)                                                                       \
    row("materials", ANY, false, "materials: [{between: [steel, steel], friction: 0.1}]",          \
        carom_read_materials)                                                                      \
    row("detection", ANY, false, "detection: {ignore: [[crank, rod]]}", carom_read_detection)      \
    row("start", ANY, false, "start: {positions: assemble, keep: [crank]}", carom_read_start)      \
    row("components", ANY, false, "components: {drive: {bodies: {wheel: {mass: 1}}}}",             \
        read_nothing)                                                                              \
    row("use", ANY, false, "use: {left: {drive: {beam: frame}}}", read_nothing)                    \
    row("shapes", RESERVED, false, "", read_nothing)
// clang-format on

#define FIELD(key, kind, is_needed, example, read) {key, CAROM_FIELD_##kind, false, example},
#define NEEDED(key, kind, is_needed, example, read) is_needed,
#define READER(key, kind, is_needed, example, read) read,
static const carom_field section[] = {SECTIONS(FIELD){NULL, CAROM_FIELD_END, false, NULL}};
static const bool is_needed[] = {SECTIONS(NEEDED)};
static carom_section_reader *const reader[] = {SECTIONS(READER)};
enum {
    N_SECTION = sizeof reader / sizeof reader[0],
    VERSION = 0,
    NAME = 1,
    ABOUT = 2,
    SOURCE = 3,
    INCLUDE = 4,
    COMPONENTS = N_SECTION - 3,
    USE = N_SECTION - 2
};

// before anything else: a later version may have keys that this one does not know
static carom_status check_version(const carom_node *root, carom_error *error)
{
    const carom_node *entry = root->first;
    while (entry && strcmp(entry->key->text, "carom") != 0) entry = entry->next;
    if (!entry || entry->kind != CAROM_NODE_TEXT || strcmp(entry->text, "1") == 0) return CAROM_OK;
    return carom_fail_at(error, entry->place, CAROM_BAD_INPUT,
                         "version '%.40s' of the file format is not known (write carom: 1)",
                         entry->text);
}

// the version and the describing texts are read by themselves
static carom_status read_nothing(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    (void)file, (void)node, (void)error;
    return CAROM_OK;
}

carom_status carom_read_each(carom_modelfile *file, const carom_node *node, const char *example,
                             carom_section_reader *read, carom_error *error)
{
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_LIST, example, error));
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        CAROM_TRY(carom_fields_kind(entry, CAROM_NODE_MAPPING, example, error));
        CAROM_TRY(read(file, entry, error));
    }
    return CAROM_OK;
}

// the file's name without folder and ending, for models that give none
static const char *stem(carom_modelfile *file)
{
    const char *slash = strrchr(file->source.name, '/');
    const char *base = slash ? slash + 1 : file->source.name;
    const char *dot = strrchr(base, '.');
    return carom_arena_copy(file->arena, base,
                            dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static carom_status describe(carom_modelfile *file, const carom_node *const *value,
                             carom_error *error)
{
    const char *name = value[NAME] ? value[NAME]->text : stem(file);
    const char *about = value[ABOUT] ? value[ABOUT]->text : NULL;
    const char *source = value[SOURCE] ? value[SOURCE]->text : NULL;
    return carom_builder_describe(file->builder, name, about, source, error);
}

static carom_status lack(const carom_node *root, const char *owner, int i, carom_error *error)
{
    return carom_fail_at(error, root->place, CAROM_BAD_INPUT, "%s needs '%s' (write %s)", owner,
                         section[i].key, section[i].example);
}

// what must stand in each file; how a model is run is for the model to say, not for its parts
static carom_status sort_sections(carom_part *part, const carom_node *root, carom_error *error)
{
    _Static_assert((int)N_SECTION < (int)CAROM_MOST_FIELDS, "room for every section");
    const char *owner = part->includer ? "an included file" : "a model";
    if (!root || root->is_missing)
        return carom_fail_at(error, (carom_place){part->origin.name, 1, 1}, CAROM_BAD_INPUT,
                             "the file holds nothing (a model starts with 'carom: 1')");
    if (root->kind != CAROM_NODE_MAPPING)
        return carom_fail_at(error, root->place, CAROM_BAD_INPUT,
                             "a model file consists of keys with values, not of %s (write "
                             "'carom: 1' first, with a space after ':')",
                             root->kind == CAROM_NODE_LIST ? "a list" : "one text");
    CAROM_TRY(check_version(root, error));
    CAROM_TRY(carom_fields_read(root, owner, section, part->section, error));
    if (!part->section[VERSION]) return lack(root, owner, VERSION, error);
    for (int i = 0; part->includer && i < N_SECTION; i++)
        if (reader[i] == carom_read_run && part->section[i])
            return carom_fail_at(error, part->section[i]->key->place, CAROM_BAD_INPUT,
                                 "an included file does not say how the model is run (move 'run' "
                                 "to the model itself)");
    const carom_node *include = part->section[INCLUDE];
    part->wanted = include ? include->first : NULL;
    return CAROM_OK;
}

// bodies and beams bring coordinates and kinetic energy of their own
static bool is_made_of_bodies(const carom_part *part)
{
    for (; part; part = part->next)
        for (int i = 0; i < N_SECTION; i++)
            if ((reader[i] == carom_read_bodies || reader[i] == carom_read_beams ||
                 reader[i] == carom_read_elastic) &&
                part->section[i])
                return true;
    return false;
}

// what the files must have together
static carom_status check_needed(const carom_part *first, const carom_node *root,
                                 carom_error *error)
{
    for (int i = 0; i < N_SECTION; i++) {
        const carom_part *part = first;
        while (part && !part->section[i]) part = part->next;
        if (is_needed[i] && !part && (i == VERSION || !is_made_of_bodies(first)))
            return lack(root, "a model", i, error);
    }
    return CAROM_OK;
}

// one section of all files
static carom_status read_section(carom_modelfile *file, const carom_part *part, int i,
                                 carom_error *error)
{
    for (; part; part = part->next) {
        const carom_node *node = part->section[i];
        if (!node) continue;
        // an optional section with all its entries commented out is as good as absent
        if (node->is_missing && !is_needed[i] && reader[i] != carom_read_potential) continue;
        file->origin = &part->origin;
        CAROM_TRY(reader[i](file, node, error));
    }
    return CAROM_OK;
}

static carom_status read_root(carom_modelfile *file, const carom_node *root, carom_error *error)
{
    const carom_include include = {file->arena, &file->access, sort_sections};
    carom_part *first, top = {.origin = {file->source.name, file->source.name, false}};
    CAROM_TRY(sort_sections(&top, root, error));
    CAROM_TRY(carom_include_all(&include, &file->source, &top, &first, error));
    const carom_sections sections = {section, N_SECTION, COMPONENTS, USE};
    CAROM_TRY(carom_components_expand(file->arena, &sections, file->access.limits, first, error));
    CAROM_TRY(check_needed(first, root, error));
    CAROM_TRY(describe(file, top.section, error));
    for (int i = 0; i < N_SECTION; i++) CAROM_TRY(read_section(file, first, i, error));
    return CAROM_OK;
}

static carom_status start(const carom_access *access, carom_modelfile **file, carom_error *error)
{
    *file = calloc(1, sizeof **file);
    if (*file) (*file)->arena = carom_arena_new();
    if (*file) (*file)->builder = carom_builder_new();
    if (*file && (*file)->arena && (*file)->builder) {
        if (access) (*file)->access = *access;
        (*file)->access.limits = carom_limits_or_default((*file)->access.limits);
        carom_builder_limit((*file)->builder, (*file)->access.limits);
        return CAROM_OK;
    }
    carom_modelfile_free(*file);
    *file = NULL;
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a model");
}

// the source is loaded: the rest is the same for files and texts
static carom_status finish(carom_modelfile **file, carom_status status, carom_error *error)
{
    const carom_node *root = NULL;
    if (status == CAROM_OK)
        status = carom_document_parse((*file)->arena, &(*file)->source, &root, error);
    if (status == CAROM_OK) status = read_root(*file, root, error);
    (*file)->access = (carom_access){0}; // borrowed
    (*file)->origin = NULL;
    if (status == CAROM_OK) return CAROM_OK;
    carom_modelfile_free(*file);
    *file = NULL;
    return status;
}

carom_status carom_modelfile_read_with(const char *path, const carom_access *access,
                                       carom_modelfile **file, carom_error *error)
{
    CAROM_NEED(error, file);
    *file = NULL;
    CAROM_NEED(error, path);
    CAROM_TRY(start(access, file, error));
    return finish(file,
                  carom_source_load((*file)->arena, path, CAROM_SOURCE_MODEL,
                                    (*file)->access.limits, &(*file)->source, error),
                  error);
}

carom_status carom_modelfile_read_text_with(const char *text, size_t length, const char *name,
                                            const carom_access *access, carom_modelfile **file,
                                            carom_error *error)
{
    CAROM_NEED(error, file);
    *file = NULL;
    CAROM_NEED(error, text);
    CAROM_TRY(start(access, file, error));
    (*file)->source.name = name;
    return finish(file,
                  carom_source_copy((*file)->arena, text, length, (*file)->access.limits,
                                    &(*file)->source, error),
                  error);
}

carom_status carom_modelfile_read(const char *path, carom_modelfile **file, carom_error *error)
{
    return carom_modelfile_read_with(path, NULL, file, error);
}

carom_status carom_modelfile_read_text(const char *text, size_t length, const char *name,
                                       carom_modelfile **file, carom_error *error)
{
    return carom_modelfile_read_text_with(text, length, name, NULL, file, error);
}

void carom_modelfile_free(carom_modelfile *file)
{
    if (!file) return;
    carom_builder_free(file->builder);
    carom_arena_free(file->arena);
    free(file);
}

carom_builder *carom_modelfile_builder(carom_modelfile *file)
{
    return file ? file->builder : NULL;
}

const carom_run_texts *carom_modelfile_run(const carom_modelfile *file)
{
    return file ? &file->run : NULL;
}

const char *carom_modelfile_text(const carom_modelfile *file)
{
    return file ? file->source.text : NULL;
}
