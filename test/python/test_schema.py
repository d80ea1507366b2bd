# SPDX-License-Identifier: Apache-2.0
"""The JSON schema of model files: it is what tools/schema makes of the reader's tables, takes all models and refuses what
is misspelled, and knows every key that the reader knows."""
import copy
import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

try:
    import jsonschema
    import yaml
except ImportError:
    jsonschema = None


def load(text):
    """YAML 1.2, as editors and Carom read it: on and yes are texts."""
    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers = {first: [(tag, pattern) for tag, pattern in rows if tag != "tag:yaml.org,2002:bool"]
                                   for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()}

    return yaml.load(text, Loader)


ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("CAROM_COMMAND", str(ROOT / "build/carom"))
SCHEMA = ROOT / "docs" / "carom-model.schema.json"


@unittest.skipIf(jsonschema is None, "SKIPPED: python3-jsonschema and python3-yaml are not installed (make test installs them)")
class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(SCHEMA.read_text())
        jsonschema.Draft202012Validator.check_schema(cls.schema)
        cls.validator = jsonschema.Draft202012Validator(cls.schema)

    def accept(self, model, name):
        why = next(iter(sorted(self.validator.iter_errors(model), key=str)), None)
        self.assertIsNone(why, f"{name}: {why and (list(why.path), why.message[:300])}")

    def test_it_is_what_the_readers_tables_say(self):
        made = subprocess.run([sys.executable, str(ROOT / "tools/schema"), "--print", COMMAND], capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertTrue(made.stdout == SCHEMA.read_text(), "run tools/schema: the tables of the reader have changed")

    def test_all_models_parts_and_templates_are_valid(self):
        paths = [path for folder in ("models", "parts", "templates") for path in sorted((ROOT / folder).glob("*.yaml"))]
        self.assertGreater(len(paths), 60)
        for path in paths:
            self.accept(load(path.read_text()), path.name)

    def test_blocks_of_the_documentation_are_valid(self):
        n = 0
        for page in sorted((ROOT / "docs").glob("*.md")):
            for block in re.findall(r"^```yaml\n(carom: 1\n.*?)^```", page.read_text(), re.M | re.S):
                model = load(block)
                if "paper" not in model:
                    self.accept(model, page.name)
                    n += 1
        self.assertGreater(n, 3)

    def test_a_misspelled_key_is_refused_wherever_it_stands(self):
        tried = 0
        for name in ("slider-crank", "four-bar", "bowling", "cam-follower", "flexible-pendulum", "dome"):
            model = load((ROOT / "models" / f"{name}.yaml").read_text())
            for section in ("contacts", "bodies", "joints", "beams", "tables", "constraints", "materials", "draw", None):
                wrong = copy.deepcopy(model)
                place = wrong if section is None else wrong.get(section)
                if isinstance(place, list):
                    place = place[0]
                elif section is not None and isinstance(place, dict):
                    place = next(iter(place.values()))
                if not isinstance(place, dict):
                    continue
                place["frictoin"] = 1
                self.assertFalse(self.validator.is_valid(wrong), f"{name}: {section}")
                tried += 1
        self.assertGreater(tried, 15)

    def test_other_things_that_are_wrong(self):
        for wrong in ("carom: 2\ncoordinates: {x: {}}", "coordinates: {x: {}}", "carom: 1\nspace: round",
                      "carom: 1\nrun: {scheme: moreau}", "carom: 1\nrun: {solver: newtn}", "carom: 1\ncontacts: [{gap: x}]",
                      "carom: 1\njoints: {pin: {revolut: [a, b]}}", "carom: 1\ncontacts: {name: floor, gap: y}", "[1, 2]",
                      "carom: 1\nbodies: {b: {shape: {spere: [0, 0, 0]}}}", "carom: 1\nmotors: {m: {angle: t}}"):
            self.assertFalse(self.validator.is_valid(load(wrong)), wrong)

    def test_every_key_of_the_readers_tables_is_known(self):
        text = SCHEMA.read_text()
        for path in sorted((ROOT / "src/modelfile").rglob("*.c")):
            for key in re.findall(r'\{"([^"]+)",\s*CAROM_FIELD_(?!RESERVED)', path.read_text()):
                self.assertTrue(f'"{key}"' in text, f"{path.name}: {key}")


if __name__ == "__main__":
    unittest.main()
