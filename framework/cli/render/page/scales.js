// Round numbers, units, and the legend.

const PREFIXES = [['G', 1e-9], ['M', 1e-6], ['k', 1e-3], ['', 1], ['m', 1e3], ['µ', 1e6], ['n', 1e9]];
// A unit whose numbers lie between 0.1 and 1000, as in scale.cpp.
function suitableUnit(unit, value) {
  const first = unit.split(/[ /^*]/)[0];
  if (!['m', 'N', 'Pa', 'J', 'W'].includes(first) || !(Math.abs(value) > 0) || unit.startsWith('m^') || unit.includes(' ')) return {name: unit, factor: 1};
  for (const [prefix, factor] of PREFIXES)
    if (!(first === 'm' && factor < 1) && Math.abs(value) * factor >= 0.1) return {name: prefix + unit, factor};
  return {name: unit, factor: 1};
}
function roundStep(span, most) {
  const power = 10 ** Math.floor(Math.log10(span / most) + 1e-9);
  return [1, 2, 5, 10].map(k => k * power).find(step => span / step <= most + 1e-6) || 10 * power;
}
function roundTicks(low, high, factor, most = 6) {
  const span = (high - low) * factor;
  if (!(span > 0) || !isFinite(span)) return [];
  const step = roundStep(span, most), digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), ticks = [];
  for (let k = Math.ceil(low * factor / step - 1e-6); k * step <= high * factor + 1e-6 * step; ++k) {
    const value = k * step;
    ticks.push({value: value / factor, label: digits <= 4 && Math.abs(high * factor) < 1e5 ? value.toFixed(digits) : Number(value.toPrecision(4)).toString()});
  }
  return ticks;
}
function roundUp(value) {
  if (!(value > 0) || !isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find(k => k * power >= value * (1 - 1e-6)) * power;
}
function shortNumber(value) {
  if (Number.isNaN(value)) return 'none';
  const short = Number(value.toPrecision(4)), size = Math.abs(short);
  return (size > 0 && size < 1e-3) || size >= 1e6 ? short.toExponential().replace('e+', 'e') : short.toString();
}
const rgbOf = hex => [0, 2, 4].map(k => parseInt(hex.slice(k, k + 2), 16));

// What colours mean: a column between two values in a map, or kinds in colours of their own.
class Colours {
  constructor(told) { Object.assign(this, {told, column: '', map: null, own: null}); }
  choose(column, columns) {
    const about = columns[column] || {unit: '', kind: 'scale', range: [0, 1], nearly: [0, 1], names: {}};
    Object.assign(this, {column, about, kind: about.kind});
    let [low, high] = about.nearly, both = false;
    if (column === 'speed') {
      low = 0, high = roundUp(Math.max(high, 1e-4));
    } else if (low < -0.05 * high && high > -0.05 * low) {
      both = true, high = Math.max(-low, high), low = -high;
    }
    if (!(high > low)) [low, high] = about.range;
    if (!(high > low)) high = low + (low === 0 ? 1 : 0.01 * Math.abs(low));
    this.low = this.own ? this.own[0] : low, this.high = this.own ? this.own[1] : high;
    this.shownMap = this.map || (both ? 'balance' : 'dusk');
    const bodies = column === 'id' || column === 'strand' ? this.told.pebbles : this.told.fragments;
    this.palette = (this.kind === 'scale' ? this.spread(this.told.maps[this.shownMap]) : this.kind === 'names' ? this.told.kinds : bodies).map(c => typeof c === 'string' ? rgbOf(c) : c);
    this.range = [this.low, 1 / (this.high - this.low)];
    this.kinds = this.kind === 'scale' ? 0 : this.palette.length;
  }
  spread(stops) {
    const colours = stops.map(rgbOf);
    return Array.from({length: 256}, (_, k) => {
      const at = k / 255 * (colours.length - 1), i = Math.min(Math.floor(at), colours.length - 2);
      return colours[i].map((c, n) => Math.round(c + (at - i) * (colours[i + 1][n] - c)));
    });
  }
  title(unit) { return this.column + (unit ? ` [${unit}]` : ''); }

  // Draws the legend at the right of a picture. \return its height
  draw(pen, right, top, ink) {
    pen.font = '13px system-ui, sans-serif', pen.fillStyle = ink, pen.textBaseline = 'middle';
    if (this.kind === 'kinds') return 0;
    if (this.kind === 'names') return this.drawNames(pen, right, top, ink);
    const unit = suitableUnit(this.about.unit, Math.max(Math.abs(this.low), Math.abs(this.high)));
    const height = 170, width = 12, below = top + 26;
    pen.textAlign = 'right';
    pen.fillText(this.title(unit.name), right, top + 6);
    for (let k = 0; k < height; ++k) {
      pen.fillStyle = `rgb(${this.palette[Math.round(255 * (1 - k / (height - 1)))]})`;
      pen.fillRect(right - width, below + k, width, 1.5);
    }
    pen.fillStyle = pen.strokeStyle = ink;
    for (const {value, label} of roundTicks(this.low, this.high, unit.factor)) {
      const y = below + height * (1 - (value - this.low) / (this.high - this.low));
      pen.fillRect(right - width - 4, y - 0.5, 4, 1);
      pen.fillText(label, right - width - 8, y);
    }
    return height + 40;
  }
  drawNames(pen, right, top, ink) {
    pen.textAlign = 'right';
    pen.fillText(this.column, right, top + 6);
    const names = Object.entries(this.about.names).slice(0, 14);
    names.forEach(([number, name], k) => {
      const y = top + 32 + 22 * k;
      pen.fillStyle = `rgb(${this.palette[number % this.palette.length]})`;
      pen.fillRect(right - 14, y - 7, 14, 14);
      pen.fillStyle = ink;
      pen.fillText((name || `${this.column} ${number}`).slice(0, 40), right - 21, y);
    });
    return 40 + 22 * names.length;
  }
}
