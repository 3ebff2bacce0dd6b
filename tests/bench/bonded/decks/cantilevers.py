# Bonded cantilevers for Yade; run by ../cantilevers, which gives all values by environment. Prints processor seconds of
# the timed steps, bonds and how far the beads that are free came down in the mean.
import os
import time

E = os.environ
radius, young, ratio = float(E['RADIUS']), float(E['YOUNG']), float(E['RATIO'])
unbreakable = 1e12
grain = O.materials.append(
    CohFrictMat(young=young, poisson=ratio, frictionAngle=0.5, density=float(E['DENSITY']), momentRotationLaw=True,
                normalCohesion=unbreakable, shearCohesion=unbreakable, alphaKr=float(E['ALPHA']),
                alphaKtw=float(E['ALPHA'])))
free = []
for line in open(E['BEADS']):
    x, y, z, held = map(float, line.split())
    number = O.bodies.append(sphere((x, y, z), radius, material=grain, fixed=held > 0))
    if not held:
        free.append((number, z))
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(aabbEnlargeFactor=1.05)], verletDist=float(E['SKIN']) / 2),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom6D(interactionDetectionFactor=1.05)],
                    [Ip2_CohFrictMat_CohFrictMat_CohFrictPhys(setCohesionNow=True, setCohesionOnNewContacts=False)],
                    [Law2_ScGeom6D_CohFrictPhys_CohesionMoment()]),
    NewtonIntegrator(gravity=(0, 0, -9.81), damping=float(E['DAMPING'])),
]
O.dt = float(E['DT'])
O.run(100, True)  # finds and bonds neighbours
start = time.process_time()
O.run(int(E['STEPS']) - 100, True)
seconds = time.process_time() - start
sag = sum(z - O.bodies[number].state.pos[2] for number, z in free) / len(free)
print('timed', int(E['STEPS']) - 100, seconds, sum(1 for i in O.interactions if i.isReal), sag, flush=True)
