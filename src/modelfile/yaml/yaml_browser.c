// SPDX-License-Identifier: Apache-2.0
// Events of the page that the library runs in (playground/src/yaml.ts): it parses a whole text at
// once and gives back one block of memory, which is read here front to back,
//
//     number of events | for each ten words | bytes of all texts, one behind the other
//
// the words: kind, start, end, line, column, style, is it flow, has it a text, its first byte, its
// length. Words have 32 bits; kinds and styles are numbered as in yaml.h.
#include "modelfile/yaml/yaml.h"

#include <emscripten.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 10 };

struct carom_yaml {
    carom_arena *arena;
    int32_t *block;
    int n, next;
};

// clang-format off
EM_JS(int32_t *, ask_page, (const char *text, size_t length), {
    const bytes = Module.parseYaml(HEAPU8.slice(text, text + length));
    const block = _malloc(bytes.length);
    if (block) HEAPU8.set(bytes, block);
    return block;
})
// clang-format on

carom_yaml *carom_yaml_new(carom_arena *arena, const carom_source *source)
{
    carom_yaml *yaml = calloc(1, sizeof *yaml);
    if (!yaml) return NULL;
    yaml->arena = arena;
    yaml->block = ask_page(source->text, source->length);
    if (yaml->block) {
        yaml->n = yaml->block[0];
        return yaml;
    }
    carom_yaml_free(yaml);
    return NULL;
}

bool carom_yaml_next(carom_yaml *yaml, carom_yaml_event *event)
{
    const bool is_over = yaml->next >= yaml->n;
    const int32_t *word = yaml->block + 1 + (size_t)WORDS * (size_t)yaml->next++;
    *event = (carom_yaml_event){.kind = CAROM_YAML_STREAM_END};
    if (is_over) return true;
    event->kind = (carom_yaml_kind)word[0];
    event->has_place = word[3] > 0;
    event->start = (size_t)word[1];
    event->end = (size_t)word[2];
    event->line = word[3];
    event->column = word[4];
    event->style = (carom_yaml_style)word[5];
    event->is_flow = word[6] != 0;
    if (!word[7]) return true;
    const char *texts = (const char *)(yaml->block + 1 + (size_t)WORDS * (size_t)yaml->n);
    event->length = (size_t)word[9];
    event->text = carom_arena_copy(yaml->arena, texts + word[8], event->length);
    return event->text != NULL;
}

void carom_yaml_free(carom_yaml *yaml)
{
    if (!yaml) return;
    free(yaml->block);
    free(yaml);
}
