// The graphics card: programs, buffers, and pictures that are drawn aside.

const PLACES = {corner: 0, position: 0, normal: 1, x: 2, y: 3, z: 4, size: 5, turnX: 6, turnY: 7, turnZ: 8, value: 9, from: 2, to: 3, values: 4};
const NONE = 3e38;  // in place of a value

class Device {
  constructor(canvas) {
    const gl = canvas.getContext('webgl2', {antialias: false, alpha: false, powerPreference: 'high-performance'});
    if (!gl) throw new Error('This page needs WebGL 2, which this browser or its graphics driver does not offer.');
    this.gl = gl;
    this.programs = {};
    this.samples = Math.min(4, gl.getParameter(gl.MAX_SAMPLES));
    this.palette = gl.createTexture();
    this.whole = gl.createVertexArray();
    this.targets = null;
  }

  program(name, source) {
    if (this.programs[name]) return this.programs[name];
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, source.vertex], [gl.FRAGMENT_SHADER, source.fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(`${name}: ${gl.getShaderInfoLog(shader)}`);
    }
    for (const place in PLACES) gl.bindAttribLocation(program, PLACES[place], place);
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(`${name}: ${gl.getProgramInfoLog(program)}`);
    const uniforms = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); ++k) {
      const {name: uniform, type} = gl.getActiveUniform(program, k);
      uniforms[uniform] = {at: gl.getUniformLocation(program, uniform), type};
    }
    return this.programs[name] = {program, uniforms};
  }

  // Sets those uniforms that the program has.
  set({uniforms}, values) {
    const gl = this.gl;
    for (const name in values) {
      if (!uniforms[name]) continue;
      const {at, type} = uniforms[name], value = values[name];
      if (type === gl.FLOAT) gl.uniform1f(at, value);
      else if (type === gl.FLOAT_VEC2) gl.uniform2fv(at, value);
      else if (type === gl.FLOAT_VEC3) gl.uniform3fv(at, value);
      else if (type === gl.FLOAT_VEC4) gl.uniform4fv(at, value);
      else if (type === gl.FLOAT_MAT4) gl.uniformMatrix4fv(at, false, value);
      else gl.uniform1i(at, value);
    }
  }

  buffer(data, usage) {
    const buffer = this.gl.createBuffer();
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, data, usage || this.gl.STATIC_DRAW);
    return buffer;
  }
  // Without an array of vertices, as the binding would become a part of it.
  indices(data) {
    const gl = this.gl, buffer = gl.createBuffer();
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return buffer;
  }
  refill(buffer, data) {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, data, this.gl.DYNAMIC_DRAW);
  }
  // Attributes: {name: [buffer, numbers, type, divisor]}; without a buffer a constant.
  vertices(attributes) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    for (const name in attributes) {
      const [buffer, numbers, type, divisor] = attributes[name];
      if (!buffer) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(PLACES[name]);
      gl.vertexAttribPointer(PLACES[name], numbers, type, false, 0, 0);
      gl.vertexAttribDivisor(PLACES[name], divisor || 0);
    }
    gl.bindVertexArray(null);
    return array;
  }

  setPalette(colours, smooth) {
    const gl = this.gl, bytes = new Uint8Array(4 * colours.length);
    colours.forEach((c, k) => bytes.set([...c, 255], 4 * k));
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.palette);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, colours.length, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    this.filter(smooth ? gl.LINEAR : gl.NEAREST);
  }
  filter(kind) {
    const gl = this.gl;
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, kind);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, kind);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  // Pictures of the canvas's size: `many` with several samples per pixel, `single` with colours and depths to be read.
  prepareTargets(width, height) {
    if (this.targets && this.targets.width === width && this.targets.height === height) return this.targets;
    const gl = this.gl, old = this.targets;
    if (old) {
      for (const texture of [old.picture, old.depths, old.shades]) gl.deleteTexture(texture);
      for (const store of old.stores) gl.deleteRenderbuffer(store);
      for (const frame of [old.many, old.single, old.shade]) gl.deleteFramebuffer(frame);
    }
    const texture = (format, layout, type) => {
      const made = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, made);
      gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, layout, type, null);
      this.filter(gl.NEAREST);
      return made;
    };
    const frameOf = (attachments, attach) => {
      const frame = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
      attachments.forEach(([place, what]) => attach(place, what));
      return frame;
    };
    const ofTexture = (place, what) => gl.framebufferTexture2D(gl.FRAMEBUFFER, place, gl.TEXTURE_2D, what, 0);
    const ofStore = (place, what) => gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, what);
    gl.activeTexture(gl.TEXTURE1);
    const picture = texture(gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE), shades = texture(gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE),
          depths = texture(gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT);
    const stores = [gl.RGBA8, gl.DEPTH_COMPONENT24].map(format => {
      const store = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, store);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, this.samples, format, width, height);
      return store;
    });
    return this.targets = {
      width, height, picture, depths, shades, stores,
      many: frameOf([[gl.COLOR_ATTACHMENT0, stores[0]], [gl.DEPTH_ATTACHMENT, stores[1]]], ofStore),
      single: frameOf([[gl.COLOR_ATTACHMENT0, picture], [gl.DEPTH_ATTACHMENT, depths]], ofTexture),
      shade: frameOf([[gl.COLOR_ATTACHMENT0, shades]], ofTexture),
    };
  }
  resolve({many, single, width, height}) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, many);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, single);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT, gl.NEAREST);
  }
  bindTexture(unit, texture) {
    this.gl.activeTexture(this.gl.TEXTURE0 + unit);
    this.gl.bindTexture(this.gl.TEXTURE_2D, texture);
  }
  drawWhole() {
    const gl = this.gl;
    gl.bindVertexArray(this.whole);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}
