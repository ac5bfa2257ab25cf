# SPDX-License-Identifier: Apache-2.0
"""A ball thrown at 2 m/s on a rough floor: it bounces, slides and then rolls.

The same model as thrown_ball.json and thrown_ball.cpp.
"""
import saltus as st

model = st.Model()  # SI units; gravity is (0, 0, -9.81)

ball = model.add(st.RigidBody(name="ball", inertia=st.solid_sphere(1.0, 0.1),
                              pose=st.Pose(position=(0, 0, 1)), velocity=st.Twist(linear=(2, 0, 0))))
skin = model.add(st.Collider("skin", st.at(ball), st.Sphere(radius=0.1)))
floor = model.add(st.Collider("floor", st.at(model.ground), st.HalfSpace()))
model.add(st.Contact(between=(skin, floor), restitution=0.8, friction=0.3))

simulation = st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-3, rho_inf=0.8),
                           solver=st.GaussSeidel(tolerance=1e-10))
print(simulation.run_until(2.0))                  # RunReport::summary()
height = simulation.result.position(ball)[:, 2]   # NumPy view, one row a record
impulse = simulation.result.impulse(skin, floor)  # (records, 3): normal, tangent 1, tangent 2
