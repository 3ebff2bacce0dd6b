'use strict';
(function () {
  const told = JSON.parse(document.getElementById('told').textContent);
  const place = document.getElementById('scene'), slider = document.getElementById('slider');
  const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

  function colourAt(part) {
    const at = part * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2), rest = at - k;
    return stops[k].map((c, n) => Math.round(c + rest * (stops[k + 1][n] - c)));
  }
  const palette = Array.from({length: 256}, (_, k) => colourAt(k / 255));

  // A part of the file: corners, colours and, where they have changed, triangles and edges.
  async function bytesOf(id) {
    const packed = Uint8Array.from(atob(document.getElementById(id).textContent), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Response(stream).arrayBuffer();
  }
  const padded = size => 4 * Math.ceil(size / 4);
  async function partOf(layer, frame) {
    const about = told.frames[frame][layer], buffer = await bytesOf(layer + frame);
    let at = 0;
    const take = (Type, count) => {
      const values = new Type(buffer, at, count);
      at += padded(count * Type.BYTES_PER_ELEMENT);
      return values;
    };
    const part = {corners: take(Uint16Array, 3 * about.points), colours: about.coloured ? take(Uint8Array, about.points) : null};
    if (about.topology === frame) {
      part.triangles = take(Uint32Array, about.triangles);
      part.edges = take(Uint32Array, about.edges);
    }
    return part;
  }

  // Outlines of bodies that the file gives as points, each in its place, in the form of a part.
  function outlined(frame, buffer) {
    const count = told.frames[frame].points.count, sides = told.boxes.bodies;
    let at = 0;
    const take = (Type, size) => {
      const values = new Type(buffer, at, size);
      at += padded(size * Type.BYTES_PER_ELEMENT);
      return values;
    };
    const shape = take(Uint16Array, count), centre = take(Uint16Array, 3 * count), turn = take(Int16Array, 4 * count),
          size = take(Float32Array, count), colour = take(Uint8Array, count);
    const total = {corners: 0, triangles: 0, edges: 0};
    for (const s of shape) for (const kind in total) total[kind] += told.outlines[s][kind].length;
    const part = {positions: new Float32Array(total.corners), colours: new Uint8Array(total.corners / 3),
                  triangles: new Uint32Array(total.triangles), edges: new Uint32Array(total.edges)};
    let corner = 0, triangle = 0, edge = 0;
    for (let i = 0; i < count; ++i) {
      const outline = told.outlines[shape[i]], first = corner;
      const x = [0, 1, 2].map(k => sides[2 * k] + centre[3 * i + k] / 65535 * (sides[2 * k + 1] - sides[2 * k]));
      const [w, a, b, c] = turn.subarray(4 * i, 4 * i + 4), norm = 2 / (w * w + a * a + b * b + c * c), s = size[i];
      const r = [[1 - norm * (b * b + c * c), norm * (a * b - w * c), norm * (a * c + w * b)],
                 [norm * (a * b + w * c), 1 - norm * (a * a + c * c), norm * (b * c - w * a)],
                 [norm * (a * c - w * b), norm * (b * c + w * a), 1 - norm * (a * a + b * b)]];
      for (let n = 0; n < outline.corners.length; n += 3, ++corner) {
        const [u, v, t] = [outline.corners[n], outline.corners[n + 1], outline.corners[n + 2]];
        for (let k = 0; k < 3; ++k) part.positions[3 * corner + k] = x[k] + s * (r[k][0] * u + r[k][1] * v + r[k][2] * t);
        part.colours[corner] = colour[i];
      }
      for (const n of outline.triangles) part.triangles[triangle++] = first + n;
      for (const n of outline.edges) part.edges[edge++] = first + n;
    }
    return part;
  }

  const scene = new THREE.Scene();
  const renderer = new THREE.WebGLRenderer({antialias: true, preserveDrawingBuffer: true});
  renderer.setClearColor(0xffffff);
  renderer.setPixelRatio(window.devicePixelRatio || 1);
  place.appendChild(renderer.domElement);

  // The camera looks at all bodies, and at walls as far as they are not much larger.
  const box = told.boxes.bodies, middle = new THREE.Vector3((box[0] + box[1]) / 2, (box[2] + box[3]) / 2, (box[4] + box[5]) / 2);
  const extent = Math.max(box[1] - box[0], box[3] - box[2], box[5] - box[4], 1e-12);
  const camera = told.flat ? new THREE.OrthographicCamera(-1, 1, 1, -1, -10 * extent, 10 * extent)
                           : new THREE.PerspectiveCamera(35, 1, extent / 100, 50 * extent);
  camera.up.set(0, told.flat ? 1 : 0, told.flat ? 0 : 1);
  const controls = new THREE.OrbitControls(camera, renderer.domElement);
  controls.enableRotate = !told.flat;
  controls.screenSpacePanning = true;
  if (told.flat) controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
  controls.addEventListener('change', draw);
  function viewAll() {
    controls.target.copy(middle);
    camera.position.copy(middle).add(told.flat ? new THREE.Vector3(0, 0, extent) : new THREE.Vector3(1.0, -2.3, 1.0).multiplyScalar(extent));
    camera.zoom = 1;
    camera.updateProjectionMatrix();
    controls.update();
    draw();
  }

  scene.add(new THREE.HemisphereLight(0xffffff, 0x9a9aa2, 0.85));
  const sun = new THREE.DirectionalLight(0xffffff, 0.5);
  camera.add(sun);
  sun.position.set(0.4, 0.8, 1);
  scene.add(camera);

  class Layer {
    constructor(name, material, edgeColour) {
      this.name = name;
      this.geometry = new THREE.BufferGeometry();
      this.mesh = new THREE.Mesh(this.geometry, material);
      this.edges = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color: edgeColour}));
      this.group = new THREE.Group();
      this.group.add(this.mesh, this.edges);
      this.mesh.frustumCulled = this.edges.frustumCulled = false;
      this.topology = -1;
      scene.add(this.group);
    }
    async show(frame) {
      const points = this.name === 'bodies' && told.frames[frame].points, about = told.frames[frame][this.name];
      this.mesh.visible = this.edges.visible = Boolean(about || points);
      if (points) {
        const part = outlined(frame, await bytesOf('points' + frame));
        this.draw(part.positions, part.colours, part);
        this.topology = -1;
      } else if (about) {
        await this.showSurface(frame, about);
      }
    }
    async showSurface(frame, about) {
      const part = await partOf(this.name, frame);
      let changed = null;
      if (this.topology !== about.topology) {
        changed = part.triangles ? part : await partOf(this.name, about.topology);
        this.topology = about.topology;
      }
      const sides = told.boxes[this.name];
      const positions = Float32Array.from(part.corners, (c, i) => {
        const low = sides[2 * (i % 3)];
        return low + c / 65535 * (sides[2 * (i % 3) + 1] - low);
      });
      this.draw(positions, part.colours, changed);
    }
    draw(positions, colours, topology) {
      const corners = new THREE.BufferAttribute(positions, 3);
      this.geometry.setAttribute('position', corners);
      this.edges.geometry.setAttribute('position', corners);
      if (topology) {
        this.geometry.setIndex(new THREE.BufferAttribute(topology.triangles, 1));
        this.edges.geometry.setIndex(new THREE.BufferAttribute(topology.edges, 1));
      }
      if (!colours) return;
      const rgb = new Uint8Array(positions.length);
      colours.forEach((c, i) => rgb.set(palette[c], 3 * i));
      this.geometry.setAttribute('color', new THREE.BufferAttribute(rgb, 3, true));
    }
  }
  const solid = options => told.flat ? new THREE.MeshBasicMaterial({side: THREE.DoubleSide, ...options})
                                     : new THREE.MeshPhongMaterial({side: THREE.DoubleSide, flatShading: true, shininess: 0, ...options});
  const coloured = () => solid({vertexColors: THREE.VertexColors, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1});
  const layers = [new Layer('bodies', coloured(), 0x303036), new Layer('rods', coloured(), 0x303036),
                  new Layer('walls', solid({color: 0xb9b9c0, transparent: true, opacity: told.flat ? 0.6 : 0.22, depthWrite: false}), 0x707078)];

  let shown = -1, wanted = 0, busy = false;
  async function show(frame) {
    wanted = frame;
    if (busy) return;
    busy = true;
    while (shown !== wanted) {
      const now = wanted;
      await Promise.all(layers.map(layer => layer.show(now)));
      shown = now;
      slider.value = now;
      document.getElementById('time').textContent = `${Number(told.frames[now].time.toPrecision(6))} s`;
      draw();
    }
    busy = false;
    document.body.dataset.shown = shown;
  }

  function resize() {
    const width = Math.max(place.clientWidth, 1), height = Math.max(place.clientHeight, 1);
    renderer.setSize(width, height);
    if (told.flat) {
      const half = 0.53 * Math.max(box[3] - box[2], (box[1] - box[0]) * height / width, 1e-12);
      Object.assign(camera, {top: half, bottom: -half, left: -half * width / height, right: half * width / height});
    } else {
      camera.aspect = width / height;
    }
    camera.updateProjectionMatrix();
    draw();
  }
  let drawing = false;
  function draw() {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      renderer.render(scene, camera);
    });
  }

  let timer = null;
  function pause() {
    clearInterval(timer);
    timer = null;
    document.getElementById('play').textContent = '▶';
  }
  function play() {
    document.getElementById('play').textContent = '❚❚';
    if (wanted === told.frames.length - 1) show(0);
    timer = setInterval(() => {
      if (wanted + 1 < told.frames.length) show(wanted + 1);
      else pause();
    }, 120);
  }
  document.getElementById('play').onclick = () => (timer ? pause() : play());
  document.getElementById('home').onclick = viewAll;
  document.getElementById('walls').onchange = event => {
    layers[2].group.visible = event.target.checked;
    draw();
  };
  slider.max = told.frames.length - 1;
  slider.oninput = () => {
    pause();
    show(Number(slider.value));
  };
  addEventListener('resize', resize);

  const short = value => Number(value.toPrecision(3)).toString();
  document.getElementById('what').textContent = told.column + (told.unit ? ` [${told.unit}]` : '');
  document.getElementById('least').textContent = short(told.range[0]);
  document.getElementById('most').textContent = short(told.range[1]);
  const ramp = document.getElementById('ramp').getContext('2d');
  palette.forEach((c, k) => {
    ramp.fillStyle = `rgb(${c})`;
    ramp.fillRect(0, 255 - k, 1, 1);
  });
  if (typeof DecompressionStream === 'undefined') {
    place.innerHTML = '<p id="trouble">This page needs a browser from 2023 or later: Firefox 113, Chrome 80, Safari 16.4.</p>';
    return;
  }
  resize();
  viewAll();
  show(told.frames.length - 1);
})();
