# SPDX-License-Identifier: Apache-2.0
"""A ball that falls through wind: a force by a law of one's own.

The same model as ball_in_the_wind.cpp.
"""
import numpy as np
import saltus as st

wind = np.array([5.0, 0, 0])  # m/s


def drag(time, first, second):
    """Air resistance: 0.004 N s²/m² times the square of the speed through the air."""
    u = second.velocity - wind
    return -0.004 * np.linalg.norm(u) * u


model = st.Model()
ball = model.add(st.PointMass(name="ball", mass=0.1, pose=st.Pose(position=(0, 0, 100))))
model.add(st.UserForce(name="drag", between=(st.at(model.ground), st.at(ball)), law=drag))

simulation = st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-2, rho_inf=0.8))
print(simulation.run_until(20))
path = simulation.result.position(ball)
