// Normals and edges of triangles, whose corners at one place belong together.

// A number for each corner, the same for corners at one place.
function welded(corners) {
  let size = 0;
  for (let i = 0; i < corners.length; ++i) size = Math.max(size, Math.abs(corners[i]));
  const grid = (size || 1) * 2e-5, numbers = new Map(), weld = new Uint32Array(corners.length / 3);
  for (let i = 0; i < weld.length; ++i) {
    const key = `${Math.round(corners[3 * i] / grid)} ${Math.round(corners[3 * i + 1] / grid)} ${Math.round(corners[3 * i + 2] / grid)}`;
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    weld[i] = numbers.get(key);
  }
  return weld;
}

// Normals of triangles, as long as twice their area.
function triangleNormals(corners, triangles) {
  const at = k => [corners[3 * k], corners[3 * k + 1], corners[3 * k + 2]];
  const normals = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const a = at(triangles[t]);
    normals.push(cross(minus(at(triangles[t + 1]), a), minus(at(triangles[t + 2]), a)));
  }
  return normals;
}

// Corners with normals, and triangles of them. Faces that meet at less than 40 degrees look round.
function smoothTriangles(corners, triangles) {
  const weld = welded(corners), faces = triangleNormals(corners, triangles), around = new Map();
  triangles.forEach((corner, k) => {
    if (!around.has(weld[corner])) around.set(weld[corner], []);
    around.get(weld[corner]).push(Math.floor(k / 3));
  });
  const units = faces.map(unit), positions = [], normals = [], known = new Map(), indices = new Uint32Array(triangles.length);
  triangles.forEach((corner, k) => {
    const own = units[Math.floor(k / 3)];
    let normal = [0, 0, 0];
    for (const face of around.get(weld[corner]))
      if (dot(own, units[face]) > 0.766) normal = add(normal, faces[face]);
    normal = unit(normal);
    const key = [weld[corner], ...normal.map(n => Math.round(500 * n))].join();
    if (!known.has(key)) {
      known.set(key, positions.length / 3);
      positions.push(corners[3 * corner], corners[3 * corner + 1], corners[3 * corner + 2]);
      normals.push(...normal);
    }
    indices[k] = known.get(key);
  });
  return {positions: new Float32Array(positions), normals: new Float32Array(normals), indices};
}

// A flat outline with fewer corners, none of which is off by more than a part of its reach. Only outlines that are a
// fan about their first corner have one, else null.
function coarseFan(corners, triangles) {
  const loop = [];
  for (let t = 0; t < triangles.length; t += 3) {
    if (triangles[t] !== triangles[0] || (t > 0 && triangles[t + 1] !== triangles[t - 1])) return null;
    if (t === 0) loop.push(triangles[1]);
    loop.push(triangles[t + 2]);
  }
  if (loop.length < 16) return null;
  const at = k => [corners[3 * loop[k]], corners[3 * loop[k] + 1]], reach = Math.max(...loop.map((_, k) => Math.hypot(...at(k))));
  // Keeps corners between two that are kept, the farthest from their line first (Douglas and Peucker 1973).
  const kept = new Set([0, loop.length - 1]), rest = [[0, loop.length >> 1], [loop.length >> 1, loop.length - 1]];
  kept.add(loop.length >> 1);
  while (rest.length) {
    const [a, b] = rest.pop(), [x, y] = at(a), [u, v] = at(b), length = Math.hypot(u - x, v - y) || 1e-30;
    let far = 0, most = a;
    for (let k = a + 1; k < b; ++k) {
      const off = Math.abs((u - x) * (at(k)[1] - y) - (v - y) * (at(k)[0] - x)) / length;
      if (off > far) far = off, most = k;
    }
    if (far > 0.04 * reach) kept.add(most), rest.push([a, most], [most, b]);
  }
  const order = [...kept].sort((a, b) => a - b).map(k => loop[k]), fan = [];
  for (let k = 1; k < order.length; ++k) fan.push(triangles[0], order[k - 1], order[k]);
  return new Uint32Array(fan);
}

// Pairs of corners: borders, and edges where faces turn by more than 30 degrees.
function sharpEdges(corners, triangles) {
  const weld = welded(corners), units = triangleNormals(corners, triangles).map(unit), edges = new Map();
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; ++k) {
      const a = triangles[t + k], b = triangles[t + (k + 1) % 3], low = Math.min(weld[a], weld[b]), high = Math.max(weld[a], weld[b]);
      if (low === high) continue;
      const key = low * 4294967296 + high, edge = edges.get(key);
      if (edge) edge.faces.push(t / 3);
      else edges.set(key, {a, b, faces: [t / 3]});
    }
  const sharp = [];
  for (const {a, b, faces} of edges.values())
    if (faces.length !== 2 || Math.abs(dot(units[faces[0]], units[faces[1]])) < 0.866) sharp.push(a, b);
  return new Uint32Array(sharp);
}

// A tube along z from 0 to 1 with radius 1: directions and ends.
function tubeTriangles(sides) {
  const positions = [];
  const corner = (k, end) => positions.push(Math.cos(2 * Math.PI * k / sides), Math.sin(2 * Math.PI * k / sides), end);
  for (let k = 0; k < sides; ++k) {
    corner(k, 0), corner(k + 1, 0), corner(k + 1, 1);
    corner(k, 0), corner(k + 1, 1), corner(k, 1);
  }
  return new Float32Array(positions);
}
