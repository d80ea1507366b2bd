// SPDX-License-Identifier: Apache-2.0
// (being written)
#include "model/elastic/elastic.h"
int carom_model_n_elastic(const carom_model *model)
{
    return model && model->energies.elastic ? model->energies.elastic->n : 0;
}
