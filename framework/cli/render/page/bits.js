// Parts of the page: compressed tables, read block by block. table_block.hpp tells their form.

const NO_NUMBER = 65535;
const batches = [];  // texts of parts, by name: those of the page, then those of each piece of news

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

async function bytesOfPart(about) {
  const batch = batches[about.batch];
  const text = batch ? batch[about.part] : document.getElementById(about.part).textContent;
  const stream = new Blob([bytesOfBase64(text)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

const sum = values => values.reduce((all, value) => all + value, 0);

// Keys of a frame in order, and for each row its number in the frame before, or -1.
function rowsOf(before, stays, fresh) {
  const count = before ? sum(Array.from(stays)) + fresh.a.length : fresh.a.length;
  const rows = {count, a: new Uint32Array(count), b: new Uint32Array(count), from: new Int32Array(count).fill(-1)};
  let old = 0, next = 0;
  const olds = before ? before.count : 0;
  for (let i = 0; i < count; ++i) {
    while (old < olds && !stays[old]) ++old;
    const isOld = old < olds && (next >= fresh.a.length || before.a[old] < fresh.a[next] ||
                                 (before.a[old] === fresh.a[next] && before.b[old] < fresh.b[next]));
    if (isOld) {
      rows.a[i] = before.a[old], rows.b[i] = before.b[old], rows.from[i] = old++;
    } else {
      rows.a[i] = fresh.a[next], rows.b[i] = fresh.b[next++];
    }
  }
  return rows;
}

// All frames of a block, each with its keys and columns of 16 bits.
function decoded(told, buffer) {
  const bytes = new Uint8Array(buffer), total = sum(told.rows), staying = sum(told.rows.slice(0, -1));
  let at = 4 * Math.ceil(staying / 4);
  const fresh = sum(told.fresh), a = new Uint32Array(buffer, at, fresh), b = new Uint32Array(buffer, at + 4 * fresh, fresh);
  at += 8 * fresh;
  const frames = [];
  for (let f = 0, stay = 0, k = 0; f < told.rows.length; ++f) {
    const before = frames[f - 1], count = before ? before.count : 0;
    const keys = {a: a.subarray(k, k + told.fresh[f]), b: b.subarray(k, k + told.fresh[f])};
    frames.push(Object.assign(rowsOf(before, bytes.subarray(stay, stay + count), keys), {columns: {}, steps: {}}));
    stay += count, k += told.fresh[f];
  }
  for (const [name, lowest, step] of told.columns) {
    let row = at, before = null;
    for (const frame of frames) {
      const values = new Uint16Array(frame.count), from = frame.from;
      for (let i = 0; i < values.length; ++i, ++row) {
        const stored = bytes[row] | bytes[row + total] << 8, difference = (stored >>> 1) ^ -(stored & 1);
        values[i] = from[i] < 0 ? difference : before[from[i]] + difference;
      }
      frame.columns[name] = before = values;
      frame.steps[name] = [lowest, step];
    }
    at += 2 * total;
  }
  return frames;
}

// Value of a row, or NaN.
function valueIn(frame, name, row) {
  const values = frame.columns[name];
  if (!values || values[row] === NO_NUMBER) return NaN;
  return frame.steps[name][0] + frame.steps[name][1] * values[row];
}

// Row of a key, or -1.
function rowOf(frame, a, b) {
  let low = 0, high = frame.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frame.a[middle] < a || (frame.a[middle] === a && frame.b[middle] < b)) low = middle + 1;
    else high = middle;
  }
  return low < frame.count && frame.a[low] === a && frame.b[low] === b ? low : -1;
}

const NOTHING = {count: 0, a: new Uint32Array(0), b: new Uint32Array(0), columns: {}, steps: {}};

// A table over all frames. A few blocks stay decoded.
class Table {
  constructor() {
    this.blocks = [];  // {first, last, told, frames: promise or null}
    this.used = [];
  }
  // Adds blocks of news, of which the first begins at this frame.
  add(blocks, first, batch) {
    for (const told of blocks) {
      told.batch = batch;
      this.blocks.push({first, last: first + told.rows.length - 1, told, frames: null});
      first += told.rows.length;
    }
  }
  read(block) {
    if (!block.frames) {
      block.frames = bytesOfPart(block.told).then(buffer => decoded(block.told, buffer));
      this.used.push(block);
      if (this.used.length > 4) this.used.shift().frames = null;
    }
    return block.frames;
  }
  async frame(number) {
    const k = this.blocks.findIndex(block => block.first <= number && number <= block.last);
    if (k < 0) return NOTHING;
    const frames = await this.read(this.blocks[k]), next = this.blocks[k + 1];
    if (next && number > (this.blocks[k].first + this.blocks[k].last) / 2) this.read(next);
    return frames[number - this.blocks[k].first];
  }
}
