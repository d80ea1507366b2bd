// SPDX-License-Identifier: Apache-2.0
// (being written)
#include "model/elastic/elastic_making.h"
carom_status carom_elastic_given(carom_elastic_making *m)
{
    return carom_elastic_refuse(m, "files", "not yet");
}
