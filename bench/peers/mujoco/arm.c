// SPDX-License-Identifier: Apache-2.0
// A six-axis arm in MuJoCo (Debian's libmujoco-dev): mj_step with Euler's method, no contacts.
// Usage: arm FILE.xml STEPS; prints ns_per_step and the angles at the end.
#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    static const double q[] = {0, 0.3, 0.5, 0, 0, 0}, u[] = {1, 0, 0, 2, 0, 3};
    char why[500] = "";
    const int n_step = argc > 2 ? atoi(argv[2]) : 0;
    mjModel *model = n_step > 0 ? mj_loadXML(argv[1], NULL, why, sizeof why) : NULL;
    mjData *data = model ? mj_makeData(model) : NULL;
    if (!data) {
        fprintf(stderr, "arm FILE.xml STEPS %s\n", why);
        return 1;
    }
    for (int i = 0; i < 6; i++) {
        data->qpos[i] = q[i];
        data->qvel[i] = u[i];
    }
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int i = 0; i < n_step; i++) mj_step(model, data);
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("ns_per_step %.3f\nq", ((double)(after.tv_sec - before.tv_sec) * 1e9 +
                                   (double)(after.tv_nsec - before.tv_nsec)) /
                                      n_step);
    for (int i = 0; i < 6; i++) printf(" %.17g", data->qpos[i]);
    printf("\n");
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
