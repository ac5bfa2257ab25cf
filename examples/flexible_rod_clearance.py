# SPDX-License-Identifier: Apache-2.0
"""A slider-crank with a flexible rod and a clearance between rod and slider.

The same model as flexible_rod_clearance.json and flexible_rod_clearance.cpp.
"""
import saltus as st

model = st.Model(gravity=(0, 0, 0))
ground = model.ground

crank = model.add(st.RigidBody(name="crank", inertia=st.slender_rod(0.30, 0.05), pose=st.Pose(position=(0.025, 0, 0))))
rod = model.add(st.Beam(name="rod", start=(0.05, 0, 0), end=(0.17, 0, 0), elements=8,
                        section=st.circular_section(5e-3),
                        material=st.Elastic(young_modulus=207e9, poisson_ratio=0.3, density=7800)))
slider = model.add(st.RigidBody(name="slider", inertia=st.solid_box(0.14, (0.04, 0.03, 0.03)), pose=st.Pose(position=(0.17, 0, 0))))

model.add(st.Revolute(name="bearing", between=(st.at(ground), st.at(crank, (-0.025, 0, 0))), drive=st.Speed(52.4)))
model.add(st.Revolute(name="crank_pin", between=(st.at(crank, (0.025, 0, 0)), st.at(rod, 0.0))))
model.add(st.Prismatic(name="guide", bodies=(ground, slider), at=(0.17, 0, 0), axis=(1, 0, 0)))

pin = model.add(st.Collider("pin", st.at(rod, 0.12), st.Cylinder(radius=9.5e-3, length=0.02)))
bore = model.add(st.Collider("bore", st.at(slider), st.Bore(radius=10e-3, length=0.02)))
model.add(st.Contact(between=(pin, bore), restitution=0.9, friction=0.05))

simulation = st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-5, rho_inf=0.8))
simulation.run_until(0.24)
tip = simulation.result.position(rod, arclength=0.12)
