// SPDX-License-Identifier: Apache-2.0
// One self-contained page for a paper: each claim with what was published, what is obtained and the
// verdict, beside the figure redrawn from the runs. All texts are escaped.
#include "papers/paper.h"

carom_status carom_paper_write_page(const carom_paper *paper, const char *path, carom_error *error)
{
    (void)paper;
    return carom_fail(error, CAROM_IO, "%s: pages are not written yet", path);
}
