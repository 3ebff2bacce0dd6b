// What is drawn: bodies, rods, contact forces and surfaces, from rows of tables.

// Numbers by which clicks tell layers apart.
const CODES = {bodies: 1, rods: 2, contacts: 3, surface: 4, solid: 5, walls: 6};

// Bodies that share shapes: each shape is in the card once, and placed by columns of its bodies.
class Bodies {
  constructor(device, shapes, flat) {
    Object.assign(this, {device, shapes, flat, name: 'bodies', table: new Table(), groups: {}, frame: NOTHING});
    this.quad = device.buffer(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
  }
  async load(number) {
    const frame = await this.table.frame(number), kinds = new Set();
    for (let i = 0; i < frame.count; ++i) kinds.add(valueIn(frame, 'shape', i));
    await Promise.all([...kinds].map(shape => this.groupOf(shape)));
    return frame;
  }
  async groupOf(shape) {
    if (this.groups[shape] || !this.shapes[shape]) return;
    const about = this.shapes[shape], gl = this.device.gl, columns = {}, parts = [];
    for (const name of ['x', 'y', 'z', 'size', 'turnX', 'turnY', 'turnZ', 'value']) columns[name] = this.device.buffer(new Uint16Array(0));
    this.groups[shape] = {columns, parts, rows: [], count: 0};
    const perBody = divisor => Object.fromEntries(Object.entries(columns).map(([name, buffer]) => [name, [buffer, 1, gl.UNSIGNED_SHORT, divisor]]));
    if (about.balls.length) {
      const vertices = this.device.vertices({corner: [this.quad, 2, gl.FLOAT], ...perBody(1)}), dots = this.device.vertices(perBody(0));
      for (const ball of about.balls) parts.push({kind: 'ball', vertices, dots, ball});
    }
    if (!about.part) return;
    const buffer = await bytesOfPart(about), corners = new Float32Array(buffer, 0, 3 * about.corners);
    const triangles = new Uint32Array(buffer, 12 * about.corners, about.triangles);
    const lines = new Uint32Array(buffer, 12 * about.corners + 4 * about.triangles, about.lines);
    const part = (kind, positions, normals, indices, coarse) => parts.push({
      kind, count: indices.length, fine: this.device.indices(indices), coarse: coarse && this.device.indices(coarse), coarseCount: coarse ? coarse.length : 0,
      vertices: this.device.vertices({position: [this.device.buffer(positions), 3, gl.FLOAT], normal: [this.device.buffer(normals), 3, gl.FLOAT], ...perBody(1)}),
    });
    const plain = new Float32Array(corners.length), edges = [...(this.flat ? sharpEdges(corners, triangles) : []), ...lines];
    if (triangles.length && this.flat) {
      part('shape', corners, plain, triangles, coarseFan(corners, triangles));
    } else if (triangles.length) {
      const {positions, normals, indices} = smoothTriangles(corners, triangles);
      part('shape', positions, normals, indices);
    }
    if (edges.length) part('edges', corners, plain, new Uint32Array(edges));
  }
  show(frame, column) {
    this.frame = frame;
    for (const shape in this.groups) this.groups[shape].rows = [];
    for (let i = 0; i < frame.count; ++i) {
      const group = this.groups[valueIn(frame, 'shape', i)];
      if (group) group.rows.push(i);
    }
    const columns = {x: 'x', y: 'y', z: 'z', size: 'size', turnX: 'turn_x', turnY: 'turn_y', turnZ: 'turn_z', value: column};
    for (const group of Object.values(this.groups)) {
      group.count = group.rows.length;
      for (const name in columns) {
        const values = frame.columns[columns[name]], rows = group.rows;
        const own = !values ? new Uint16Array(rows.length).fill(name.startsWith('turn') ? 32768 : NO_NUMBER)
                  : rows.length === frame.count ? values : Uint16Array.from(rows, row => values[row]);
        this.device.refill(group.columns[name], own);
      }
    }
    const of = name => frame.steps[name] || [0, 0];
    this.uniforms = {placeLow: [of('x')[0], of('y')[0], of('z')[0]], placeStep: [of('x')[1], of('y')[1], of('z')[1]],
                     sizeSteps: of('size'), steps: of(column)};
  }
  draw(renderer, common) {
    let first = 0;
    for (const group of Object.values(this.groups)) {
      if (!group.count) continue;
      const marked = group.rows.indexOf(common.pickedRow), picked = marked < 0 ? -1 : first + marked;
      for (const part of group.parts) this.drawPart(renderer, part, group.count, {...common, ...this.uniforms, picked, first});
      first += group.count;
    }
  }
  // Small bodies are drawn with less.
  drawPart(renderer, part, count, uniforms) {
    const gl = this.device.gl, small = uniforms.pixels < 13;
    if (part.kind === 'ball') {
      const dot = small && !this.flat;
      renderer.use(dot ? 'dot' : 'ball', {...uniforms, ball: part.ball});
      gl.bindVertexArray(dot ? part.dots : part.vertices);
      if (dot) gl.drawArrays(gl.POINTS, 0, count);
      else gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
      return;
    }
    // Outlines of small bodies would hide their colours.
    const edges = part.kind === 'edges', darker = edges ? 0.98 - 0.58 * clamp((uniforms.pixels - 9) / 30, 0, 1) : 1;
    if (edges && (uniforms.code >= 0 || uniforms.pixels < 9)) return;
    const coarse = small && part.coarse;
    renderer.use('shape', {...uniforms, darker});
    gl.bindVertexArray(part.vertices);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, coarse ? part.coarse : part.fine);
    gl.drawElementsInstanced(edges ? gl.LINES : gl.TRIANGLES, coarse ? part.coarseCount : part.count, gl.UNSIGNED_INT, 0, count);
  }
  rowOfHit(number) {
    for (const group of Object.values(this.groups)) {
      if (number < group.count) return group.rows[number];
      number -= group.count;
    }
    return -1;
  }
  placeOf(row) { return ['x', 'y', 'z'].map(axis => valueIn(this.frame, axis, row)); }
}

// Rods, of points with radii, and contact forces.
class Tubes {
  constructor(device, name) {
    Object.assign(this, {device, name, table: new Table(), frame: NOTHING, count: 0});
    const gl = device.gl;
    this.shape = device.buffer(tubeTriangles(10));
    this.buffers = {from: device.buffer(new Float32Array(0)), to: device.buffer(new Float32Array(0)), values: device.buffer(new Float32Array(0))};
    this.vertices = device.vertices({position: [this.shape, 3, gl.FLOAT], from: [this.buffers.from, 4, gl.FLOAT, 1],
                                     to: [this.buffers.to, 4, gl.FLOAT, 1], values: [this.buffers.values, 3, gl.FLOAT, 1]});
  }
  load(number) { return this.table.frame(number); }
  fill(tubes) {
    this.count = tubes.length / 11;
    const part = (first, size) => Float32Array.from({length: size * this.count}, (_, k) => tubes[11 * Math.floor(k / size) + first + k % size]);
    this.device.refill(this.buffers.from, part(0, 4));
    this.device.refill(this.buffers.to, part(4, 4));
    this.device.refill(this.buffers.values, part(8, 3));
  }
  draw(renderer, common) {
    if (!this.count) return;
    const picked = common.pickedRow ?? -1;
    renderer.use('tube', {...common, ...this.uniforms, picked});
    this.device.gl.bindVertexArray(this.vertices);
    this.device.gl.drawArraysInstanced(this.device.gl.TRIANGLES, 0, 60, this.count);
  }
  rowOfHit(number) { return number; }
}

class Rods extends Tubes {
  show(frame, column) {
    this.frame = frame;
    this.uniforms = {steps: [0, 1]};
    const tubes = [], pieces = frame.count < 20000 ? 4 : 1;
    const point = row => ['x', 'y', 'z', 'radius'].map(name => valueIn(frame, name, row));
    const colour = row => {
      const value = valueIn(frame, column, row);
      return Number.isNaN(value) ? NONE : value;
    };
    const follows = row => row > 0 && row < frame.count && frame.a[row] === frame.a[row - 1] && frame.b[row] === frame.b[row - 1] + 1;
    for (let i = 1; i < frame.count; ++i) {
      if (!follows(i)) continue;
      // Through four joints a smooth curve (Catmull and Rom 1974).
      const p = [follows(i - 1) ? i - 2 : i - 1, i - 1, i, follows(i + 1) ? i + 1 : i].map(point), values = [colour(i - 1), colour(i)];
      const at = t => p[1].map((_, k) => k === 3 ? p[1][3] + t * (p[2][3] - p[1][3])
        : 0.5 * (2 * p[1][k] + t * (p[2][k] - p[0][k]) + t * t * (2 * p[0][k] - 5 * p[1][k] + 4 * p[2][k] - p[3][k]) +
                 t * t * t * (3 * p[1][k] - p[0][k] - 3 * p[2][k] + p[3][k])));
      const value = t => values[0] > 1e38 || values[1] > 1e38 ? NONE : values[0] + t * (values[1] - values[0]);
      for (let k = 0; k < pieces; ++k)
        tubes.push(...at(k / pieces), ...at((k + 1) / pieces), value(k / pieces), value((k + 1) / pieces), i);
    }
    this.fill(tubes);
  }
  placeOf(row) { return ['x', 'y', 'z'].map(axis => valueIn(this.frame, axis, row)); }
}

class Contacts extends Tubes {
  // Lines between centres of bodies, the thicker the larger the force.
  showBetween(frame, bodies, largest) {
    this.frame = frame;
    this.uniforms = {kinds: -1};
    const tubes = [], forces = Array.from({length: frame.count}, (_, i) => valueIn(frame, 'force', i));
    const strong = [...forces].sort((a, b) => a - b)[Math.floor(0.99 * (frame.count - 1))] || 1;
    for (let i = 0; i < frame.count; ++i) {
      const share = Math.min(forces[i] / strong, 1), own = valueIn(frame, 'ends', i);
      if (!(share > 0.02)) continue;
      const end = (id, letter, isOwn) => {
        if (isOwn) return ['x', 'y', 'z'].map(axis => valueIn(frame, letter + axis, i));
        const row = rowOf(bodies.frame, id, 0);
        return row < 0 ? null : bodies.placeOf(row);
      };
      const from = end(frame.a[i], 'a', own & 1), to = end(frame.b[i], 'b', own & 2), radius = largest * share;
      if (from && to) tubes.push(...from, radius, ...to, radius, 0, 0, i);
    }
    this.fill(tubes);
  }
  placeOf() { return null; }
}

// Triangles whose corners move: walls, solids, and bodies that a run wrote as surfaces.
class Surface {
  constructor(device, name) {
    Object.assign(this, {device, name, corners: new Table(), cells: new Table(), topologies: [], shape: null, frame: NOTHING, parts: []});
    const gl = device.gl;
    this.buffers = ['position', 'values', 'edges', 'edgeValues'].map(() => device.buffer(new Float32Array(0)));
    this.vertices = [0, 2].map(k => device.vertices({position: [this.buffers[k], 3, gl.FLOAT], values: [this.buffers[k + 1], 2, gl.FLOAT]}));
  }
  async load(number) {
    const known = this.topologies.filter(topology => topology.first <= number).pop();
    const [corners, cells] = await Promise.all([this.corners.frame(number), this.cells.frame(number)]);
    if (!known || !corners.count) return {corners: NOTHING, cells: NOTHING, topology: null};
    if (!known.arrays) {
      const buffer = await bytesOfPart(known), count = known.triangles;
      known.arrays = {triangles: new Uint32Array(buffer, 0, count), cells: new Uint32Array(buffer, 4 * count, count / 3),
                      lines: new Uint32Array(buffer, 4 * count + 4 * count / 3, known.lines)};
    }
    return {corners, cells, topology: known};
  }
  show({corners, cells, topology}, column) {
    this.frame = cells;
    this.counts = [0, 0];
    this.uniforms = {steps: [0, 1]};
    if (!topology) return;
    const places = new Float32Array(3 * corners.count);
    ['x', 'y', 'z'].forEach((axis, k) => {
      for (let i = 0; i < corners.count; ++i) places[3 * i + k] = valueIn(corners, axis, i);
    });
    const {triangles, lines} = topology.arrays;
    if (!topology.edges) topology.edges = new Uint32Array([...sharpEdges(places, triangles), ...lines]);
    const gathered = list => {
      const out = new Float32Array(3 * list.length);
      for (let k = 0; k < list.length; ++k)
        for (let c = 0; c < 3; ++c) out[3 * k + c] = places[3 * list[k] + c];
      return out;
    };
    const values = new Float32Array(2 * triangles.length);
    for (let k = 0; k < triangles.length; ++k) {
      const cell = topology.arrays.cells[Math.floor(k / 3)], value = valueIn(cells, column, cell);
      values[2 * k] = Number.isNaN(value) ? NONE : value, values[2 * k + 1] = cell;
    }
    [gathered(triangles), values, gathered(topology.edges), new Float32Array(2 * topology.edges.length).fill(NONE)]
      .forEach((data, k) => this.device.refill(this.buffers[k], data));
    this.counts = [triangles.length, topology.edges.length];
    this.middles = {places, triangles, cells: topology.arrays.cells};
  }
  draw(renderer, common, opacity, edgeOpacity) {
    const gl = this.device.gl;
    if (!this.counts || !this.counts[0] && !this.counts[1]) return;
    const picked = common.pickedRow ?? -1;
    renderer.use('surface', {...common, ...this.uniforms, picked, opacity, pull: 0, isLine: 0});
    gl.bindVertexArray(this.vertices[0]);
    gl.drawArrays(gl.TRIANGLES, 0, this.counts[0]);
    if (common.code >= 0 || !edgeOpacity) return;
    renderer.use('surface', {...common, ...this.uniforms, picked: -1, opacity: edgeOpacity, pull: 1e-4, isLine: 1, plain: common.edge, kinds: -1});
    gl.bindVertexArray(this.vertices[1]);
    gl.drawArrays(gl.LINES, 0, this.counts[1]);
  }
  rowOfHit(number) { return number; }
  placeOf(row) {
    const k = this.middles.cells.indexOf(row);
    return k < 0 ? null : [0, 1, 2].map(c => this.middles.places[3 * this.middles.triangles[3 * k] + c]);
  }
}
