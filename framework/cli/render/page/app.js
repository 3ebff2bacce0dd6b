// The page: what the user chose, and what is on the screen.

const element = id => document.getElementById(id);

class App {
  constructor(told) {
    Object.assign(this, {told, chosen: -1, wanted: 0, busy: false, playing: null, pace: 1, hidden: new Set(['contacts']), cut: null, picked: null, pending: 0, moved: false});
    this.place = element('place'), this.picture = element('picture'), this.legend = element('legend'), this.slider = element('slider');
    this.renderer = new Renderer(this.picture, told.flat);
    this.scene = new RunScene(this.renderer.device, told);
    this.colours = new Colours(told.colours);
    this.camera = new Camera(told.flat);
    this.curves = new Curves(element('curve'), element('metric'), () => this.drawCurve());
    element('title').textContent = told.title;
    listen(this.picture, this.camera, () => (this.moved = true, this.touch()), (x, y) => this.click(x, y));
    new ResizeObserver(() => this.resize()).observe(this.place);
  }

  // Adds frames, and shows the first that the page ever has.
  async add(told, batch) {
    const none = this.scene.frames.length === 0, following = this.chosen === this.scene.frames.length - 1;
    this.scene.add(told, batch);
    this.slider.max = this.scene.frames.length - 1;
    if (none) this.column = told.column;
    this.chooseColour();
    if (told.metrics) await this.curves.read(Object.assign(told.metrics, {batch}));
    for (const name of ['metric', 'curve']) element(name).hidden = !this.curves.times;
    fillPanel(this);
    if (none || !this.moved) this.resize();
    const newest = this.scene.frames.length - 1;
    await this.show(none && !this.told.live ? 0 : none || following ? newest : this.chosen, true);
  }
  chooseColour() {
    this.colours.choose(this.column, this.scene.columns);
    this.renderer.device.setPalette(this.colours.palette, this.colours.kind === 'scale');
  }

  // Shows a frame; while one is read, only the last that is wanted counts.
  async show(frame, again = false) {
    this.wanted = frame;
    if (again) this.chosen = -1;
    if (this.busy) return this.busy;
    const work = async () => {
      while (this.chosen !== this.wanted) {
        const now = this.wanted, loaded = await this.scene.load(now);
        this.scene.show(loaded, this.column);
        this.chosen = now;
        this.slider.value = now;
        this.tellPicked();
        this.paint(this.playing === null);
      }
    };
    this.busy = work().catch(error => this.fail(error));
    await this.busy;
    this.busy = false;
    document.body.dataset.shown = this.chosen;
  }
  fail(error) {
    this.pause();
    element('trouble').hidden = false;
    element('trouble').textContent = error.message;
  }

  // Draws now what is in the card.
  paint(still, best = false) {
    if (this.chosen < 0) return;
    this.renderer.draw(this.drawing(), still, best);
    this.drawLegend();
    this.drawCurve();
    if (!still) this.settle();
  }
  // Draws soon; and well, as soon as nothing moves.
  touch() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.paint(false);
    });
  }
  settle() {
    clearTimeout(this.settling);
    if (this.renderer.plain && this.playing === null) this.settling = setTimeout(() => this.paint(true), 200);
  }

  drawing() {
    const {scene, colours, hidden} = this, dark = document.documentElement.classList.contains('dark');
    const shows = name => scene.has(name) && !hidden.has(name), forces = shows('contacts');
    const rowIn = name => (this.picked && this.picked.name === name ? this.picked.row : undefined);
    const entry = (name, opacity, edges, uniforms = {}) => ({layer: scene[name], opacity, edges, uniforms, pickedRow: rowIn(name)});
    const about = scene.columns[this.column], ofColumn = name => (about && about.layers.includes(name) ? {} : {kinds: -1});
    const layers = [];
    if (shows('bodies')) layers.push(entry('bodies', forces ? (scene.flat ? 0.4 : 0.14) : 1, 0, ofColumn('bodies')));
    if (shows('surface')) layers.push(entry('surface', 1, scene.flat ? 1 : 0, ofColumn('surface')));
    if (shows('solid')) layers.push(entry('solid', 1, 0.5, ofColumn('solid')));
    if (shows('rods')) layers.push(entry('rods', 1, 0, ofColumn('rods')));
    if (forces) layers.push(entry('contacts', 1, 0, {plain: dark ? [0.98, 0.72, 0.35] : [0.62, 0.13, 0.12]}));
    if (shows('walls')) layers.push(entry('walls', dark ? 0.12 : scene.flat ? 0.55 : 0.16, scene.flat ? 0.9 : 0.45, {kinds: -1, plain: dark ? [0.62, 0.66, 0.72] : [0.60, 0.62, 0.66]}));
    return {layers, camera: this.camera, colours, cut: this.cutPlane(), ground: dark ? [0.090, 0.098, 0.114] : [0.965, 0.965, 0.953],
            plain: [0.70, 0.74, 0.79], edge: dark ? [0.72, 0.75, 0.8] : [0.33, 0.34, 0.37], pixels: scene.diameter() / this.camera.pixel(), reach: scene.reachFrom(this.camera.target), shadeReach: this.shadeReach()};
  }
  shadeReach() { return clamp(1.2 * this.scene.diameter(), 0.006 * this.camera.size, 0.08 * this.camera.size); }
  cutPlane() {
    const axis = ['x', 'y', 'z'].indexOf(element('axis').value);
    if (axis < 0) return [0, 0, 0, 1];
    const box = this.scene.box(), part = element('depth').value / 1000, sign = (axis === 1) !== element('other').checked ? -1 : 1;
    const plane = [0, 0, 0, sign * (box[2 * axis] + part * (box[2 * axis + 1] - box[2 * axis]))];
    plane[axis] = sign;
    return plane;
  }

  resize() {
    const width = Math.max(this.place.clientWidth, 1), height = Math.max(this.place.clientHeight, 1), ratio = Math.min(window.devicePixelRatio || 1, 2);
    Object.assign(this.picture, {width: Math.round(width * ratio), height: Math.round(height * ratio)});
    Object.assign(this.legend, {width: Math.round(width * ratio), height: Math.round(height * ratio)});
    this.ratio = ratio;
    Object.assign(this.camera, {width, height});
    if (this.scene.frames.length && !this.moved) this.home();
    else this.paint(true);
  }
  home() {
    this.moved = false;
    this.camera.fit(this.scene.box());
    this.paint(true);
  }

  drawLegend() {
    const pen = this.legend.getContext('2d');
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.camera.width, this.camera.height);
    this.drawTexts(pen);
  }
  // Legend, time and length, in pixels of the screen.
  drawTexts(pen) {
    const ink = getComputedStyle(document.documentElement).getPropertyValue('--ink').trim(), {width, height} = this.camera;
    this.colours.draw(pen, width - 18, 14, ink);
    pen.textAlign = 'left', pen.textBaseline = 'alphabetic', pen.fillStyle = ink, pen.font = '600 15px system-ui, sans-serif';
    pen.fillText(timeText(this.scene.frames[this.chosen].time), 16, height - 16);
    const pixel = this.camera.pixel(), longest = 110 * pixel, power = 10 ** Math.floor(Math.log10(longest));
    const length = [5, 2, 1].map(k => k * power).find(l => l <= longest), unit = suitableUnit('m', length), from = 130;
    pen.font = '12px system-ui, sans-serif';
    pen.fillRect(from, height - 21, length / pixel, 2);
    pen.fillText(`${shortNumber(length * unit.factor)} ${unit.name}`, from + length / pixel + 7, height - 16);
  }
  drawCurve() {
    const style = getComputedStyle(document.documentElement);
    if (this.chosen >= 0 && !element('curve').hidden)
      this.curves.draw(this.scene.times(), this.chosen, style.getPropertyValue('--ink').trim(), style.getPropertyValue('--accent').trim());
  }

  pause() {
    this.playing = null;
    element('play').textContent = '▶';
    this.paint(true);
  }
  // Plays 25 frames per second and begins anew at the end.
  play() {
    const token = this.playing = {};
    element('play').textContent = '❚❚';
    let due = performance.now();
    const next = async () => {
      if (this.playing !== token) return;
      const now = performance.now();
      if (now >= due) {
        due = Math.max(due + 40 / this.pace, now - 100);
        await this.show((this.chosen + 1) % this.scene.frames.length);
      }
      requestAnimationFrame(next);
    };
    next();
  }

  click(x, y) {
    const hit = this.renderer.pick(this.drawing(), Math.round(x * this.ratio), Math.round(y * this.ratio));
    this.picked = null;
    if (hit) {
      const row = this.scene[hit.name].rowOfHit(hit.number), frame = this.scene[hit.name].frame;
      if (row >= 0) this.picked = {name: hit.name, row, key: [frame.a[row], frame.b[row]]};
    }
    this.tellPicked();
    this.paint(true);
  }
  // Finds the thing again in the frame that is shown, and tells its values.
  tellPicked() {
    element('about').hidden = !this.picked;
    if (!this.picked) return;
    const layer = this.scene[this.picked.name], row = rowOf(layer.frame, ...this.picked.key);
    this.picked.row = row;
    fillAbout(this.scene, this.picked, layer, row);
  }
}

function timeText(time) { return `t = ${Number(time.toPrecision(4))} s`; }
