// SPDX-License-Identifier: Apache-2.0
// The table of claims: four columns whose texts are wrapped at words.
#include "commands/command_reproduce_table.h"
#include "terminal/plain.h"

#include <stdio.h>
#include <string.h>

enum { N_CELL = 4 };
static const int width[N_CELL] = {40, 24, 34, 18};

// letters, not bytes: those that continue a UTF-8 letter take no room
static bool is_letter(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

// bytes of the next line that fits, at a space where there is one
static size_t line_length(const char *text, int room)
{
    size_t space = 0, n = 0;
    for (int letters = 0; text[n] && text[n] != '\n'; n++) {
        letters += is_letter(text[n]);
        if (letters > room) return space > 0 ? space : n;
        if (text[n] == ' ') space = n;
    }
    return n;
}

static void print_piece(const char **text, int room, bool is_last)
{
    const size_t length = line_length(*text, room);
    int letters = 0;
    for (size_t i = 0; i < length; i++) letters += is_letter((*text)[i]);
    char piece[512];
    snprintf(piece, sizeof piece, "%.*s", (int)length, *text);
    fputs(carom_text_plain(piece), stdout);
    *text += length;
    *text += strspn(*text, " \n");
    if (!is_last) printf("%*s", room - letters + 2, "");
}

static void print_row(const char *cell[N_CELL])
{
    bool is_left = true;
    while (is_left) {
        is_left = false;
        for (int i = 0; i < N_CELL; i++) {
            print_piece(&cell[i], width[i], i == N_CELL - 1);
            is_left = is_left || *cell[i];
        }
        printf("\n");
    }
}

static void print_rule(void)
{
    int all = 2 * (N_CELL - 1);
    for (int i = 0; i < N_CELL; i++) all += width[i];
    for (int i = 0; i < all; i++) putchar('-');
    putchar('\n');
}

static void print_paper(const carom_paper *paper, int count[CAROM_VERDICT_MISSING + 1])
{
    const char *head[N_CELL] = {"claim", "published", "obtained", "verdict"};
    printf("%s  %s\n\n", CAROM_PLAIN(carom_paper_name(paper)),
           CAROM_PLAIN(carom_paper_title(paper)));
    print_row(head);
    for (int i = 0; i < carom_paper_n_claim(paper); i++) {
        const carom_claim *claim = carom_paper_claim(paper, i);
        count[claim->verdict]++;
        if (claim->verdict == CAROM_VERDICT_MISSING) continue;
        char text[2048];
        const char *cell[N_CELL] = {text, claim->published, claim->obtained,
                                    carom_verdict_text(claim->verdict)};
        snprintf(text, sizeof text, "%s: %s", claim->id, claim->claim);
        print_rule();
        print_row(cell);
        if (claim->verdict == CAROM_DIFFERS_KNOWN)
            printf("  because %s\n", carom_plain(claim->reason, text, sizeof text));
    }
    print_rule();
    printf("\n");
}

void carom_reproduce_table(carom_paper *const *paper, int n)
{
    int count[CAROM_VERDICT_MISSING + 1] = {0};
    for (int p = 0; p < n; p++) print_paper(paper[p], count);
    for (int v = 0; v <= CAROM_VERDICT_MISSING; v++)
        if (count[v] > 0 || v == CAROM_REPRODUCED)
            printf("%s%d %s", v ? "; " : "", count[v], carom_verdict_text((carom_verdict)v));
    printf("\n");
}
