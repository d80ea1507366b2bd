// SPDX-License-Identifier: Apache-2.0
// Why a linear system could not be factorised.
#include "math/instead/capacity.h"

bool carom_factors_exist(int n)
{
#ifdef CAROM_HAS_SPARSE
    return n >= 0;
#else
    return n <= CAROM_MOST_DENSE;
#endif
}

carom_status carom_factors_fail(int n, carom_error *error)
{
    if (!carom_factors_exist(n))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a linear system of %d unknowns is too large for this build of carom, "
                          "which has no sparse factors (%d at most; the carom command has them)",
                          n, CAROM_MOST_DENSE);
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for a linear system of %d unknowns", n);
}
