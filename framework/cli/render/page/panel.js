// Choices and values beside the picture. Names come from files: they are set as text.

const LAYER_NAMES = {bodies: 'bodies', rods: 'rods', surface: 'bodies', solid: 'solid', contacts: 'force network', walls: 'walls'};

function fillPanel(app) {
  const {scene, colours} = app, shown = new Set(['bodies', 'rods', 'surface', 'solid']);
  const names = Object.keys(scene.columns).filter(name => scene.columns[name].layers.some(layer => shown.has(layer) && scene.has(layer)));
  element('column').replaceChildren(...names.map(name => new Option(name, name)));
  element('column').value = app.column;
  element('map').replaceChildren(...colours.told.order.map(name => new Option(name, name)));
  element('layers').replaceChildren(...Object.keys(LAYER_NAMES).filter(name => scene.has(name)).map(name => {
    const label = document.createElement('label'), box = document.createElement('input');
    Object.assign(box, {type: 'checkbox', checked: !app.hidden.has(name), name});
    box.onchange = () => {
      app.hidden[box.checked ? 'delete' : 'add'](name);
      app.paint(true);
    };
    label.append(box, LAYER_NAMES[name]);
    return label;
  }));
  tellScale(app);
}
function tellScale({colours}) {
  for (const row of document.querySelectorAll('.of-scale')) row.hidden = colours.kind !== 'scale';
  element('map').value = colours.shownMap;
  element('low').value = shortNumber(colours.low), element('high').value = shortNumber(colours.high);
}

function fillAbout(scene, picked, layer, row) {
  const frame = layer.frame, about = element('about'), id = valueIn(frame, 'id', Math.max(row, 0));
  const title = picked.name === 'contacts' ? `contact of ${picked.key[0]} and ${picked.key[1]}`
              : picked.name === 'bodies' ? `body ${picked.key[0]}` : Number.isNaN(id) ? LAYER_NAMES[picked.name] : `body ${id}`;
  about.querySelector('h2').textContent = title;
  const lines = [];
  if (row < 0) lines.push(['', 'is not in this frame']);
  else {
    const place = layer.placeOf(row);
    if (place) lines.push(['at [m]', place.slice(0, scene.flat ? 2 : 3).map(shortNumber).join(', ')]);
    for (const name in frame.columns) {
      const info = scene.columns[name], value = valueIn(frame, name, row);
      if (name === 'force') lines.push(['force', `${shortNumber(value)} N`]);
      if (!info || name === 'id') continue;
      const told = info.kind === 'names' && info.names[value];
      lines.push([name, told || `${shortNumber(value)} ${info.unit}`]);
    }
  }
  about.querySelector('table').replaceChildren(...lines.map(cells => {
    const line = document.createElement('tr');
    for (const text of cells) line.insertCell().textContent = text;
    return line;
  }));
}

// Buttons, lists and keys.
function connect(app) {
  const redraw = () => app.paint(true);
  const recolour = () => {
    app.chooseColour();
    tellScale(app);
    redraw();
  };
  element('column').onchange = event => {
    app.column = event.target.value, app.colours.own = null, app.colours.map = null;
    recolour();
    app.show(app.chosen, true);
  };
  element('map').onchange = event => {
    app.colours.map = event.target.value;
    recolour();
  };
  for (const id of ['low', 'high'])
    element(id).onchange = () => {
      const range = [Number(element('low').value), Number(element('high').value)];
      app.colours.own = range[1] > range[0] ? range : null;
      recolour();
    };
  for (const id of ['axis', 'depth', 'other'])
    element(id).oninput = () => {
      element('cutting').hidden = element('axis').value === '';
      app.touch();
    };
  element('dark').checked = document.documentElement.classList.contains('dark');
  element('dark').onchange = event => {
    document.documentElement.classList.toggle('dark', event.target.checked);
    redraw();
  };
  element('forget').onclick = () => {
    app.picked = null;
    element('about').hidden = true;
    redraw();
  };
  const toggle = () => (app.playing ? app.pause() : app.play());
  const step = by => {
    app.pause();
    const count = app.scene.frames.length;
    app.show((app.chosen + by + count) % count);
  };
  element('play').onclick = toggle;
  element('speed').onclick = event => {
    app.pace = {1: 2, 2: 0.25, 0.25: 0.5, 0.5: 1}[app.pace];
    event.target.textContent = `${app.pace}×`;
  };
  element('home').onclick = () => app.home();
  app.slider.oninput = () => {
    if (app.playing) app.pause();
    app.show(Number(app.slider.value));
  };
  element('curve').onpointerdown = event => {
    if (app.playing) app.pause();
    app.show(app.curves.frameAt(event.offsetX, app.scene.frames.length));
  };
  addEventListener('keydown', event => {
    if (/^(INPUT|SELECT|BUTTON|SUMMARY)$/.test(event.target.tagName) && event.target.id !== 'slider') return;
    const act = {' ': toggle, ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => app.home()}[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  // A click leaves the keys to the picture.
  addEventListener('click', event => event.detail > 0 && event.target.tagName === 'BUTTON' && event.target.blur());
  connectSaving(app);
}

function connectSaving(app) {
  const whole = pen => {
    app.paint(true, true);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(app.picture, 0, 0);
    pen.setTransform(app.ratio, 0, 0, app.ratio, 0, 0);
    app.drawTexts(pen);
  };
  element('save').onclick = () => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, {width: app.picture.width, height: app.picture.height});
    whole(canvas.getContext('2d'));
    canvas.toBlob(blob => keep(blob, `${app.told.title}_${app.scene.frames[app.chosen].number}.png`), 'image/png');
  };
  element('film').hidden = filmKind() === null;
  let stop = null;
  element('film').onclick = async () => {
    if (stop) return stop();
    let stopped = false;
    stop = () => stopped = true;
    app.pause();
    const before = app.chosen, count = app.scene.frames.length;
    const film = await record(count, 25, app.picture.width, app.picture.height, async (frame, pen) => {
      await app.show(frame);
      whole(pen);
      element('state').textContent = `film: ${frame + 1} of ${count}`;
    }, () => stopped).catch(error => app.fail(error));
    stop = null;
    element('state').textContent = '';
    if (film) keep(film, `${app.told.title}.${film.type.endsWith('mp4') ? 'mp4' : 'webm'}`);
    app.show(before);
  };
}
