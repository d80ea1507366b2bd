# A program with the Python package (docs/python.md): a model, a run, what came of it.
import carom

model = carom.Model.from_string("""carom: 1
name: ball
parameters: {g: 9.81, e: 0.8}
coordinates: {y: {start: 1}}
kinetic: der(y)^2/2
potential: g*y
contacts: [{name: floor, gap: y, restitution: e}]
draw: [{disc: [0, y], radius: 0.05}]
""")

for e in (0.5, 0.8):
    r = model.set(e=e).run(scheme="event_driven", tolerance=1e-8, end=2, output_step=0.01)
    impacts = r.events[r.events["kind"] == "impact"]
    print(f"e = {e}: {len(impacts)} impacts, {r.audit.impact_loss:.4f} J lost, {r.message}")

r.report("ball.html")      # the ball moving, in any browser
