# Fibres that fall on a floor, as grid connections of Yade; run by ../run, which gives all values by environment. Prints steps,
# processor seconds, contacts between fibres, and the mean height of nodes [m].
import os
import time

from yade.gridpfacet import gridNode, gridConnection

segments = int(os.environ['SEGMENTS'])
young, dt, steps = float(os.environ['YOUNG']), float(os.environ['DT']), int(os.environ['STEPS'])
radius, length, density = 0.001, 0.005, 1000.0

# Nodes carry all mass: that of a cylinder of one segment each.
fibre = O.materials.append(CohFrictMat(young=young, poisson=0.4, density=density, frictionAngle=0.38,
                                       normalCohesion=1e40, shearCohesion=1e40, momentRotationLaw=True, label='fibre'))
outside = O.materials.append(FrictMat(young=young, poisson=0.4, density=density, frictionAngle=0.38, label='outside'))
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_GridConnection_Aabb(), Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], avoidSelfInteractionMask=2),
    InteractionLoop(
        [Ig2_GridNode_GridNode_GridNodeGeom6D(), Ig2_GridConnection_GridConnection_GridCoGridCoGeom(), Ig2_Wall_Sphere_ScGeom()],
        [Ip2_CohFrictMat_CohFrictMat_CohFrictPhys(setCohesionNow=True, setCohesionOnNewContacts=False), Ip2_FrictMat_FrictMat_FrictPhys()],
        [Law2_ScGeom6D_CohFrictPhys_CohesionMoment(), Law2_GridCoGridCoGeom_FrictPhys_CundallStrack(), Law2_ScGeom_FrictPhys_CundallStrack()]),
    NewtonIntegrator(gravity=(0, 0, -9.81), damping=0.1, label='newton'),
]
# Nodes meet the floor alone: other fibres are met by connections.
O.bodies.append(utils.wall(0, axis=2, sense=1, material='outside', mask=6))
for line in open(os.environ['PLACES']):
  x, y, z, ux, uy, uz = map(float, line.split())
  nodes = []
  for k in range(segments + 1):
    at = (x + k * length * ux, y + k * length * uy, z + k * length * uz)
    node = gridNode(at, radius, wire=False, fixed=False, material='fibre')
    node.bounded, node.mask = True, 2
    nodes.append(O.bodies.append(node))
  for a, b in zip(nodes, nodes[1:]):
    O.bodies.append(gridConnection(a, b, radius, material='outside'))
O.dt = dt
O.run(1, True)
begin = time.process_time()
O.run(steps, True)
seconds = time.process_time() - begin
contacts = sum(1 for i in O.interactions if i.isReal and isinstance(i.geom, GridCoGridCoGeom))
heights = [b.state.pos[2] for b in O.bodies if isinstance(b.shape, GridNode)]
print('timed', steps, seconds, contacts, sum(heights) / len(heights), flush=True)
with open(os.environ['WORK'] + '/end', 'w') as out:
  out.write('done\n')
