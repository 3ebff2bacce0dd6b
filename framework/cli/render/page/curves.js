// Curves of metrics.csv below the picture. Its times lie where the slider has them.

class Curves {
  constructor(canvas, list, chosen) {
    Object.assign(this, {canvas, list, chosen, names: [], times: null, columns: {}});
    list.onchange = () => chosen();
  }
  async read(about) {
    if (!about) return;
    const buffer = await bytesOfPart(about), rows = about.rows;
    const column = k => new Float32Array(buffer, 4 * rows * k, rows);
    this.times = column(0);
    about.names.forEach((name, k) => this.columns[name] = column(k + 1));
    const before = this.list.value;
    this.names = about.names;
    this.list.replaceChildren(...about.names.map(name => new Option(name.replaceAll('_', ' '), name)));
    const first = ['kinetic_energy_J', 'contacts'].find(name => about.names.includes(name)) || about.names[0];
    this.list.value = about.names.includes(before) ? before : first;
  }
  // \param times  of the frames [s]
  // \param frame  the frame that is shown
  draw(times, frame, ink, line) {
    if (!this.times || this.canvas.clientWidth === 0) return;
    const ratio = window.devicePixelRatio || 1, width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    Object.assign(this.canvas, {width: Math.round(width * ratio), height: Math.round(height * ratio)});
    const pen = this.canvas.getContext('2d'), values = this.columns[this.list.value];
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const margin = 8, last = Math.max(times.length - 1, 1);
    const place = time => {
      let k = times.findIndex(t => t >= time);
      if (k < 0) k = times.length - 1;
      const before = times[k - 1], part = k > 0 && times[k] > before ? (time - before) / (times[k] - before) : 0;
      return margin + (width - 2 * margin) * (k > 0 ? k - 1 + part : 0) / last;
    };
    const known = values.filter(v => !Number.isNaN(v));
    let low = known.reduce((a, b) => Math.min(a, b), Infinity), high = known.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(high > low)) high = low + (Math.abs(low) || 1), low -= Math.abs(low) || 1;
    const y = value => height - 5 - (height - 12) * (value - low) / (high - low);
    pen.strokeStyle = line, pen.lineWidth = 1.5;
    pen.beginPath();
    let pending = true;
    for (let k = 0; k < values.length; ++k) {
      if (Number.isNaN(values[k])) { pending = true; continue; }
      pen[pending ? 'moveTo' : 'lineTo'](place(this.times[k]), y(values[k]));
      pending = false;
    }
    pen.stroke();
    // The value at the time that is shown.
    const now = times[frame];
    let nearest = 0;
    for (let k = 0; k < this.times.length; ++k)
      if (Math.abs(this.times[k] - now) < Math.abs(this.times[nearest] - now)) nearest = k;
    const x = place(now);
    pen.fillStyle = ink, pen.globalAlpha = 0.25;
    pen.fillRect(x - 0.5, 0, 1, height);
    pen.globalAlpha = 1, pen.fillStyle = line;
    if (!Number.isNaN(values[nearest])) {
      pen.beginPath(), pen.arc(x, y(values[nearest]), 3.5, 0, 7), pen.fill();
      pen.font = '12px system-ui, sans-serif', pen.fillStyle = ink, pen.textBaseline = 'top';
      pen.textAlign = x > width - 90 ? 'right' : 'left';
      pen.fillText(shortNumber(values[nearest]), x + (x > width - 90 ? -7 : 7), 2);
    }
  }
  frameAt(x, frames) {
    const margin = 8;
    return clamp(Math.round((x - margin) / (this.canvas.clientWidth - 2 * margin) * (frames - 1)), 0, frames - 1);
  }
}
