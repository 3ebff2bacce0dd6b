// The viewer: turned about a place in 3D, moved along a plane in 2D. Angles in radians, lengths in metres.

class Camera {
  constructor(flat) {
    Object.assign(this, {flat, yaw: -1.16, pitch: 0.38, distance: 1, target: [0, 0, 0], half: 1, width: 1, height: 1, all: null});
    this.tangent = Math.tan(0.5 * 30 * Math.PI / 180);
  }
  axes() {
    if (this.flat) return {right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1]};
    const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    return {right: [-sy, cy, 0], up: [-sp * cy, -sp * sy, cp], back: [cp * cy, cp * sy, sp]};
  }
  // Shows all of a box, from the side that was chosen; on the right is room for the legend.
  fit(box) {
    const {right, up, back} = this.axes(), corners = [];
    for (let k = 0; k < 8; ++k) corners.push([box[k & 1], box[2 + (k >> 1 & 1)], box[4 + (k >> 2 & 1)]]);
    this.target = [0, 2, 4].map(k => 0.5 * (box[k] + box[k + 1]));
    this.size = Math.max(box[1] - box[0], box[3] - box[2], box[5] - box[4], 1e-12);
    const aspect = this.width / this.height, seen = corners.map(corner => minus(corner, this.target));
    const x = Math.max(...seen.map(c => Math.abs(dot(c, right)))), y = Math.max(...seen.map(c => Math.abs(dot(c, up))));
    const room = 1.08, free = Math.max(0.5, 1 - 150 / this.width);
    if (this.flat) this.half = room * Math.max(y, x / (aspect * free), 1e-12);
    else this.distance = Math.max(...seen.map(c => dot(c, back) + room * Math.max(Math.abs(dot(c, right)) / (this.tangent * aspect * free), Math.abs(dot(c, up)) / this.tangent)));
  }
  eye() { return this.flat ? add(this.target, [0, 0, 10 * this.size]) : add(this.target, times(this.distance, this.axes().back)); }
  matrices(reach) {
    const {right, up, back} = this.axes(), aspect = this.width / this.height;
    const view = viewMatrix(right, up, back, this.eye());
    if (this.flat) return {view, projection: orthographic(this.half, aspect, 0, 20 * this.size), upward: [0, 1, 0]};
    const far = this.distance + reach, near = Math.max(this.distance - reach, 1e-3 * this.distance);
    return {view, projection: perspective(this.tangent, aspect, near, far), upward: [dot([0, 0, 1], right), dot([0, 0, 1], up), dot([0, 0, 1], back)]};
  }
  // Length of a pixel at the middle of the view.
  pixel() { return 2 * (this.flat ? this.half : this.distance * this.tangent) / this.height; }
  turn(dx, dy) {
    this.yaw -= 0.006 * dx;
    this.pitch = clamp(this.pitch + 0.006 * dy, -1.55, 1.55);
  }
  move(dx, dy) {
    const {right, up} = this.axes();
    this.target = add(this.target, add(times(-dx * this.pixel(), right), times(dy * this.pixel(), up)));
  }
  // \param at  place in the picture that stays where it is, from the middle [pixels]
  zoom(factor, at) {
    const before = this.pixel();
    if (this.flat) this.half *= factor;
    else this.distance *= factor;
    const {right, up} = this.axes(), gone = before - this.pixel();
    this.target = add(this.target, add(times(at[0] * gone, right), times(-at[1] * gone, up)));
  }
}

// Mouse, pen and fingers. A click is a press without a move.
function listen(canvas, camera, changed, clicked) {
  const pointers = new Map();
  let moved = 0, spread = 0;
  const middleOf = () => {
    const all = [...pointers.values()];
    return [0, 1].map(k => sum(all.map(p => p[k])) / all.length);
  };
  const spreadOf = () => {
    const [a, b] = [...pointers.values()];
    return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
  };
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (pointers.size === 1) moved = 0;
    spread = spreadOf();
  });
  canvas.addEventListener('pointermove', event => {
    if (!pointers.has(event.pointerId)) return;
    const before = middleOf();
    pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    const now = middleOf(), dx = now[0] - before[0], dy = now[1] - before[1];
    moved += Math.abs(dx) + Math.abs(dy);
    if (camera.flat || pointers.size > 1 || event.buttons & 6 || event.shiftKey) camera.move(dx, dy);
    else camera.turn(dx, dy);
    const wide = spreadOf();
    if (pointers.size === 2 && wide > 0 && spread > 0) camera.zoom(spread / wide, [now[0] - camera.width / 2, now[1] - camera.height / 2]);
    spread = wide;
    changed();
  });
  const end = event => {
    if (event.type === 'pointerup' && pointers.size === 1 && moved < 4) clicked(event.offsetX, event.offsetY);
    pointers.delete(event.pointerId);
    spread = spreadOf();
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('contextmenu', event => event.preventDefault());
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
    camera.zoom(Math.exp(clamp(lines, -200, 200) * 0.0015), [event.offsetX - camera.width / 2, event.offsetY - camera.height / 2]);
    changed();
  }, {passive: false});
}
