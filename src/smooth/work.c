// SPDX-License-Identifier: Apache-2.0
// Work in a step, on its dense output. Lobatto's rule has 5 points, because steps are long.
#include "smooth/work.h"

#include "model/model.h"

enum { N = 5 };
static const double node[N] = {0, 0.17267316464601142810, 0.5, 0.82732683535398857190, 1};
static const double weight[N] = {1. / 20, 49. / 180, 16. / 45, 49. / 180, 1. / 20};

bool carom_work_take_room(carom_flow *flow, carom_work_room *room)
{
    const carom_sizes n = flow->s->size;
    double *numbers = CAROM_TAKE(flow->arena, double, n.nq + 2 * n.nu + n.n_row);
    if (!numbers) return false;
    double *u = numbers + n.nq;
    *room = (carom_work_room){numbers, u, u + n.nu, u + 2 * n.nu};
    return true;
}

double carom_work_power(const carom_flow *flow, const double *la)
{
    double sum = 0;
    for (int r = 0; r < flow->s->size.n_row; r++)
        if (flow->rows.is_held[r]) sum -= la[r] * flow->ev[0]->rows.w0[r];
    return sum;
}

carom_status carom_work_of_rows(carom_flow *flow, const carom_work_room *room, double before,
                                double after)
{
    if (before == 0 && after == 0) return CAROM_OK;
    const carom_flow_cost cost = flow->cost;
    double sum = weight[0] * before + weight[N - 1] * after;
    for (int k = 1; k < N - 1; k++) {
        CAROM_TRY(flow->solver->dense(flow, node[k], room->q, room->u));
        CAROM_TRY(carom_flow_accelerate(flow, flow->from.t + node[k] * flow->h, room->q, room->u,
                                        room->a, room->la));
        sum += weight[k] * carom_work_power(flow, room->la);
    }
    flow->cost = cost;
    flow->s->report.obstacle_work = flow->h * sum;
    return CAROM_OK;
}

carom_status carom_work_of_forces(carom_flow *flow, const carom_work_room *room)
{
    carom_step *s = flow->s;
    s->report.has_applied_work = carom_model_has_power(s->model);
    for (int k = 0; s->report.has_applied_work && k < N; k++) {
        CAROM_TRY(flow->solver->search(flow, node[k], room->q, room->u));
        const carom_point at = {
            .t = flow->from.t + node[k] * flow->h, .q = room->q, .u = room->u, .holds = s->holds};
        CAROM_TRY(carom_model_eval(s->plan, &at, CAROM_POWER, flow->ev[0], s->error));
        s->report.applied_work += weight[k] * flow->h * flow->ev[0]->energy.power;
    }
    return CAROM_OK;
}
