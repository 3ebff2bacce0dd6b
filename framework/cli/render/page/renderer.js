// The picture: all layers, then shade. While things move on a slow card it is drawn plainly.

class Renderer {
  constructor(canvas, flat) {
    Object.assign(this, {canvas, flat, device: new Device(canvas), drawn: 0, plain: false, slow: false});
    this.sources = {ball: BALL, dot: DOT, shape: SHAPE, tube: TUBE, surface: SURFACE, shade: SHADE, whole: WHOLE};
  }
  use(name, uniforms) {
    const program = this.device.program(name, this.sources[name]);
    this.device.gl.useProgram(program.program);
    this.device.set(program, {palette: 0, first: 0, opacity: 1, darker: 1, ...uniforms});
  }

  // \param scene  {layers: [{layer, opacity, edges, uniforms}], camera, colours, cut, ground, reach, shadeReach, picked}
  draw(scene, still, best = false) {
    const gl = this.device.gl, {width, height} = this.canvas, targets = this.device.prepareTargets(width, height);
    const begun = performance.now(), fine = best || (still ? !this.slow : !this.plain);
    gl.bindFramebuffer(gl.FRAMEBUFFER, fine ? targets.many : targets.single);
    gl.viewport(0, 0, width, height);
    gl.clearColor(...scene.ground, 1);
    const common = this.common(scene, -1);
    this.drawLayers(scene, common, fine);
    if (fine) this.device.resolve(targets);
    const shaded = fine && !this.flat;
    gl.disable(gl.DEPTH_TEST);
    if (shaded) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, targets.shade);
      this.device.bindTexture(1, targets.depths);
      this.use('shade', {depths: 1, projection: common.projection, reach: scene.shadeReach});
      this.device.drawWhole();
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    this.device.bindTexture(1, targets.depths);
    this.device.bindTexture(2, targets.picture);
    this.device.bindTexture(3, targets.shades);
    this.use('whole', {picture: 2, shades: 3, depths: 1, shaded});
    this.device.drawWhole();
    // Once in a while the card's time is measured.
    if (fine && (still || ++this.drawn % 8 === 3)) {
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      const taken = performance.now() - begun;
      if (taken > 70) this.plain = true;
      this.slow = taken > 1500;
    }
  }
  common({camera, colours, cut, plain, edge, pixels, reach}, code) {
    return {...camera.matrices(reach), cut, code, flatScene: this.flat, plain, edge, pixels, veil: [camera.distance, 0.5 * camera.size], height: this.canvas.height, range: colours.range, kinds: colours.kinds, picked: -1};
  }
  drawLayers(scene, common, fine) {
    const gl = this.device.gl;
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.device.bindTexture(0, this.device.palette);
    for (const {layer, opacity, edges, uniforms, pickedRow} of scene.layers) {
      const clear = opacity < 1 && common.code < 0;
      if (common.code >= 0 && opacity < 1) continue;  // clicks go through walls
      gl[clear ? 'enable' : 'disable'](gl.BLEND);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
      gl.depthMask(!clear);
      gl[fine && !clear && common.code < 0 ? 'enable' : 'disable'](gl.SAMPLE_ALPHA_TO_COVERAGE);
      const code = common.code < 0 ? -1 : CODES[layer.name];
      layer.draw(this, {...common, ...uniforms, code, pickedRow, opacity}, opacity, edges);
    }
    gl.disable(gl.BLEND);
    gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    gl.depthMask(true);
  }
  // What lies at a place of the picture: {name, number}, or null.
  pick(scene, x, y) {
    const gl = this.device.gl, targets = this.device.prepareTargets(this.canvas.width, this.canvas.height), bytes = new Uint8Array(4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, targets.single);
    gl.viewport(0, 0, targets.width, targets.height);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(x, targets.height - 1 - y, 1, 1);
    gl.clearColor(0, 0, 0, 0);
    this.drawLayers(scene, this.common(scene, 0), false);
    gl.readPixels(x, targets.height - 1 - y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    gl.disable(gl.SCISSOR_TEST);
    const name = Object.keys(CODES).find(key => CODES[key] === bytes[3]);
    return name ? {name, number: bytes[0] | bytes[1] << 8 | bytes[2] << 16} : null;
  }
}
