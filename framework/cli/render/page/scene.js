// What the page was told, and the layers that show it.

class RunScene {
  constructor(device, told) {
    Object.assign(this, {device, flat: told.flat, frames: [], columns: {}, shapes: {}, boxes: {bodies: null, walls: null}, title: told.title});
    this.bodies = new Bodies(device, this.shapes, this.flat);
    this.rods = new Rods(device, 'rods');
    this.contacts = new Contacts(device, 'contacts');
    for (const name of ['surface', 'solid', 'walls']) this[name] = new Surface(device, name);
    this.coloured = [this.bodies, this.rods, this.surface, this.solid];
    this.layers = [...this.coloured, this.contacts, this.walls];
  }
  // Adds all frames that the page or a piece of news tells of.
  add(told, batch) {
    const first = this.frames.length, marked = about => Object.assign(about, {batch});
    this.frames.push(...told.frames);
    for (const name in told.tables) this[name].table.add(told.tables[name], first, batch);
    for (const name in told.surfaces) {
      const {corners, cells, topologies} = told.surfaces[name];
      this[name].corners.add(corners, first, batch);
      this[name].cells.add(cells || [], first, batch);
      for (const topology of topologies) this[name].topologies.push(marked({...topology, first: first + topology.first}));
    }
    for (const shape in told.shapes)
      if (!this.shapes[shape]) this.shapes[shape] = marked(told.shapes[shape]);
    for (const name in told.columns) {
      const old = this.columns[name], about = told.columns[name];
      this.columns[name] = about;
      if (!old) continue;
      for (const range of ['range', 'nearly']) about[range] = [Math.min(old[range][0], about[range][0]), Math.max(old[range][1], about[range][1])];
      Object.assign(about.names, {...old.names, ...about.names});
    }
    for (const name in this.boxes) {
      const old = this.boxes[name], box = told.boxes[name];
      if (box) this.boxes[name] = old ? box.map((side, k) => k % 2 ? Math.max(side, old[k]) : Math.min(side, old[k])) : box;
    }
  }
  has(name) {
    const layer = this[name];
    return (layer.table || layer.corners).blocks.length > 0;
  }
  times() { return this.frames.map(frame => frame.time); }
  // What is to be seen: the bodies, and walls near them.
  box() {
    const {bodies, walls} = this.boxes;
    if (!bodies || !walls) return bodies || walls || [0, 1, 0, 1, 0, 0];
    const longest = Math.max(bodies[1] - bodies[0], bodies[3] - bodies[2], bodies[5] - bodies[4]);
    const reach = k => (this.flat && k > 3 ? 0 : 0.06 * longest);
    return bodies.map((side, k) => k % 2 ? Math.max(side, Math.min(walls[k], side + reach(k))) : Math.min(side, Math.max(walls[k], side - reach(k))));
  }
  // Half of the diagonal of all that may be drawn, about a place.
  reachFrom(place) {
    let far = 1e-12;
    for (const box of Object.values(this.boxes))
      for (let k = 0; box && k < 8; ++k)
        far = Math.max(far, norm(minus([box[k & 1], box[2 + (k >> 1 & 1)], box[4 + (k >> 2 & 1)]], place)));
    return 1.05 * far;
  }
  load(number) { return Promise.all(this.layers.map(layer => layer.load(number))); }
  // Puts a frame into the card.
  show(loaded, column) {
    this.layers.forEach((layer, k) => {
      if (layer === this.contacts) layer.showBetween(loaded[k], this.bodies, this.forceRadius());
      else layer.show(loaded[k], column);
    });
  }
  diameter() {
    if (this.size) return this.size;
    const frame = this.bodies.frame, box = this.box(), longest = Math.max(box[1] - box[0], box[3] - box[2], box[5] - box[4]);
    if (!frame.count) return 0.03 * longest;
    const sizes = [];
    for (let i = 0; i < frame.count; i += Math.ceil(frame.count / 500)) {
      const shape = this.shapes[valueIn(frame, 'shape', i)];
      if (shape) sizes.push(2 * valueIn(frame, 'size', i) * shape.reach);
    }
    sizes.sort((a, b) => a - b);
    return this.size = sizes[sizes.length >> 1] || 0.03 * longest;
  }
  forceRadius() { return 0.16 * this.diameter(); }
}
