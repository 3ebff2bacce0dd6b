# A bed in a box, for Yade; run by ../yade.sh, which gives all values by environment. Writes x y z radius to the file "end".
import math
import os
import time

E = os.environ
lx, ly = float(E['LX']), float(E['LY'])
steps, skin = int(E['STEPS']), float(E['SKIN'])
grain = O.materials.append(
    FrictMat(young=5e6, poisson=0.3, frictionAngle=math.atan(0.5), density=float(E['DENSITY'])))
spheres = []
for line in open(E['BED']):
    x, y, z, r, vx, vy, vz = map(float, line.split())
    spheres.append(sphere((x, y, z), r, material=grain))
    spheres[-1].state.vel = (vx, vy, vz)
if E['KIND'] == 'clumps':
    for i in range(0, len(spheres), 4):
        O.bodies.appendClumped(spheres[i:i + 4], discretization=0)
else:
    O.bodies.append(spheres)
O.bodies.append([wall(place, axis, material=grain) for place, axis in ((0, 0), (lx, 0), (0, 1), (ly, 1), (0, 2))])
val = lambda v: MatchMaker(algo='val', val=v)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=skin / 2),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
                    [Ip2_FrictMat_FrictMat_MindlinPhys(en=val(0.5), es=val(0.5))],
                    [Law2_ScGeom_MindlinPhys_Mindlin()]),
    NewtonIntegrator(gravity=(0, 0, -9.81), damping=0),
]
O.dt = float(E['DT'])
O.run(1, True)  # the first lists, which the others do not count either
start = time.time()
O.run(steps, True)
print('timed', steps, time.time() - start, flush=True)
with open('end', 'w') as end:
    for b in O.bodies:
        if isinstance(b.shape, Sphere):
            end.write('%.9g %.9g %.9g %.9g\n' % (*b.state.pos, b.shape.radius))
