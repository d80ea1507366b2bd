#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# NumPy and pandas read Carom's CSV files as they are, and h5py its HDF5 files; those of the three that Debian's
# python3 has are tried.
set -eu
carom=${1:-build/carom}
python=/usr/bin/python3
[ -x "$python" ] && "$python" -c 'import numpy' 2>/dev/null || { echo "skipped: no NumPy"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >model.yaml <<'MODEL'
carom: 1
name: "odd, \"name\""
coordinates:
  y[i]: {for: {i: 1..2}, start: 1 + i/10, rate: -i}
kinetic: (der(y[1])^2 + der(y[2])^2)/2
potential: 9.81*(y[1] + y[2])
contacts:
  - {name: "floor[i]", for: {i: 1..2}, gap: "y[i]", restitution: 0.5}
run: {step: 1e-3, end: 1}
MODEL
"$carom" run model.yaml -q -o a.csv --events e.csv --start der_y_2=-3
"$carom" run model.yaml -q -o a.h5 --start 'der(y[2])=-3'
cat >look.py <<'PYTHON'
import json
import numpy as np
a = np.genfromtxt("a.csv", delimiter=",", names=True)
side = json.load(open("a.csv.json"))
assert list(a.dtype.names) == [c["csv"] for c in side["columns"]], a.dtype.names
assert side["model"] == 'odd, "name"' and side["status"] == "whole"
assert [c["name"] for c in side["columns"]][:3] == ["t", "y[1]", "y[2]"]
assert len(a) == 1001 and a["t"][-1] == 1 and a["der_y_2"][0] == -3
e = np.genfromtxt("e.csv", delimiter=",", names=True, dtype=None, encoding=None)
assert set(e["contact"]) == {"floor_1", "floor_2"} and "impact" in set(e["kind"])
assert abs(a["P_floor_1"].sum() - e["P"][(e["contact"] == "floor_1") & (e["kind"] == "impact")].sum()) < 1e-3 * a["P_floor_1"].sum()
print("NumPy", np.__version__)
try:
    import pandas
    table = pandas.read_csv("a.csv")
    assert list(table.columns) == list(a.dtype.names) and len(table) == len(a)
    # (its quick parser may be off by one in the last place)
    assert np.allclose(table["y_1"], a["y_1"], rtol=0, atol=1e-14)
    print("pandas", pandas.__version__)
except ImportError:
    print("no pandas")
try:
    import h5py
    with h5py.File("a.h5") as f:
        assert (f["t"][:] == a["t"]).all()
        names = [n.decode() if isinstance(n, bytes) else n for n in f["q"].attrs["names"]]
        assert names == ["y[1]", "y[2]"], names
        assert (f["q"][:, 1] == a["y_2"]).all() and f["q"].compression == "gzip"
        assert len(f["events"]) == len(e) and f["events"]["kind"][0].decode() == e["kind"][0]
    print("h5py", h5py.__version__)
except ImportError:
    print("no h5py")
PYTHON
exec "$python" look.py
