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

  // Bodies that the file gives as points, by shape: where each is, how it is turned, its size and colour.
  async function bodiesOf(frame) {
    const buffer = await bytesOf('points' + frame), count = told.frames[frame].points.count, sides = told.boxes.bodies;
    let at = 0;
    const take = (Type, each) => {
      const values = new Type(buffer, at, each * count);
      at += padded(each * count * Type.BYTES_PER_ELEMENT);
      return values;
    };
    const shape = take(Uint16Array, 1), centre = take(Uint16Array, 3), turn = take(Int16Array, 4), size = take(Float32Array, 1),
          colour = take(Uint8Array, 1);
    const rows = {};
    shape.forEach((s, i) => (rows[s] = rows[s] || []).push(i));
    const bodies = {};
    for (const s in rows) {
      const column = (Type, each, value) => Type.from({length: each * rows[s].length}, (_, n) => value(rows[s][Math.floor(n / each)], n % each));
      bodies[s] = {
        centre: column(Float32Array, 3, (i, k) => sides[2 * k] + centre[3 * i + k] / 65535 * (sides[2 * k + 1] - sides[2 * k])),
        turn: column(Float32Array, 4, (i, k) => turn[4 * i + k] / 32767),
        size: column(Float32Array, 1, i => size[i]),
        color: column(Float32Array, 3, (i, k) => palette[colour[i]][k] / 255),
      };
    }
    return bodies;
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
      const about = told.frames[frame][this.name];
      this.mesh.visible = this.edges.visible = Boolean(about);
      if (!about) return;
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

  // Shapes that are in the file once: each is drawn at the place of each body that has it.
  class Shapes {
    constructor(material, edgeColour) {
      this.material = placed(material);
      this.edgeMaterial = placed(new THREE.LineBasicMaterial({color: edgeColour}));
      this.shapes = {};
    }
    of(shape) {
      if (this.shapes[shape]) return this.shapes[shape];
      const outline = told.outlines[shape], corners = new THREE.BufferAttribute(new Float32Array(outline.corners), 3);
      const geometryOf = index => {
        const geometry = new THREE.InstancedBufferGeometry();
        geometry.setAttribute('position', corners);
        geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(index), 1));
        return geometry;
      };
      const parts = [new THREE.Mesh(geometryOf(outline.triangles), this.material),
                     new THREE.LineSegments(geometryOf(outline.edges), this.edgeMaterial)];
      for (const part of parts) part.frustumCulled = false;
      scene.add(...parts);
      return this.shapes[shape] = parts;
    }
    async show(frame) {
      const bodies = told.frames[frame].points ? await bodiesOf(frame) : {};
      for (const shape in bodies) this.of(shape);
      for (const shape in this.shapes)
        for (const part of this.shapes[shape]) {
          part.visible = shape in bodies;
          if (part.visible) this.place(part.geometry, bodies[shape]);
        }
    }
    place(geometry, bodies) {
      for (const name in bodies) {
        const each = bodies[name].length / bodies.size.length;
        geometry.setAttribute(name, new THREE.InstancedBufferAttribute(bodies[name], each));
      }
      geometry.maxInstancedCount = bodies.size.length;
    }
  }
  // The material, with corners moved to each body's place by its quaternion w x y z.
  function placed(material) {
    material.onBeforeCompile = shader => {
      shader.vertexShader = 'attribute vec3 centre; attribute vec4 turn; attribute float size;\n' + shader.vertexShader.replace(
        '#include <begin_vertex>',
        'vec4 q = normalize(turn);\n' +
        'vec3 transformed = centre + size * (position + 2.0 * cross(q.yzw, cross(q.yzw, position) + q.x * position));');
    };
    return material;
  }
  const solid = options => told.flat ? new THREE.MeshBasicMaterial({side: THREE.DoubleSide, ...options})
                                     : new THREE.MeshPhongMaterial({side: THREE.DoubleSide, flatShading: true, shininess: 0, ...options});
  const coloured = () => solid({vertexColors: THREE.VertexColors, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1});
  const walls = new Layer('walls', solid({color: 0xb9b9c0, transparent: true, opacity: told.flat ? 0.6 : 0.22, depthWrite: false}), 0x707078);
  const layers = [new Shapes(coloured(), 0x303036), new Layer('bodies', coloured(), 0x303036), new Layer('rods', coloured(), 0x303036), walls];

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
    walls.group.visible = event.target.checked;
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
