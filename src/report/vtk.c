// SPDX-License-Identifier: Apache-2.0
// Runs for ParaView and other programs that read VTK.
#include "base/need.h"
#include "base/text.h"
#include "report/vtk_scene.h"

#include <math.h>

carom_vtk_options carom_vtk_default(void)
{
    return (carom_vtk_options){.from = -INFINITY, .to = INFINITY, .most_frames = 1000};
}

static carom_status write_scene(const carom_vtk_scene *scene, const char *path, carom_error *error)
{
    if (carom_text_ends(path, ".pvd")) return carom_vtk_write_series(scene, path, error);
#ifdef CAROM_HAS_HDF5
    return carom_vtk_write_hdf5(scene, path, error);
#else
    return carom_fail(error, CAROM_BAD_INPUT,
                      "this carom was built without HDF5 and writes no .vtkhdf");
#endif
}

carom_status carom_vtk_write(carom_results *run, const carom_vtk_options *options, const char *path,
                             carom_vtk_notes *notes, carom_error *error)
{
    CAROM_NEED(error, run);
    CAROM_NEED(error, options);
    CAROM_NEED(error, path);
    carom_vtk_scene scene;
    if (options->most_frames < 1)
        return carom_misuse(error, "carom_vtk_write", "most_frames is %ld", options->most_frames);
    if (!carom_text_ends(path, ".pvd") && !carom_text_ends(path, ".vtkhdf"))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "'%s' has no known ending; it must end with .vtkhdf or .pvd", path);
    carom_status status = carom_vtk_scene_open(&scene, run, options, error);
    if (status == CAROM_OK) status = write_scene(&scene, path, error);
    if (notes && status == CAROM_OK)
        *notes = (carom_vtk_notes){carom_vtk_scene_n_frame(&scene), scene.n_row};
    carom_vtk_scene_close(&scene);
    return status;
}
