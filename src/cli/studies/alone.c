// SPDX-License-Identifier: Apache-2.0
// The command carom works by itself; carom-mpi has another file in this one's place (src/mpi).
#include "studies/scan_job.h"

carom_company carom_company_find(void)
{
    return (carom_company){0};
}
