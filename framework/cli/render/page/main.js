// A page with all its frames, or one that asks the server it came from for them.

async function live(told) {
  let app = null, last = null;
  const state = element('state');
  for (;;) {
    try {
      const answer = await fetch(`news${last === null ? '' : `?after=${last}`}`);
      if (!answer.ok) throw new Error((await answer.text()) || answer.statusText);
      const news = await answer.json();
      if (news.told) {
        const batch = batches.push(news.parts) - 1;
        if (!app) app = begin({...told, ...news.told});
        await app.add(news.told, batch);
        last = news.told.frames[news.told.frames.length - 1].number;
      }
      state.textContent = app ? `live, ${app.scene.frames.length} frames` : 'waits for the first frame';
    } catch (error) {
      state.textContent = `no news: ${error.message}`;
    }
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
}

function begin(told) {
  const app = new App(told);
  connect(app);
  return app;
}

(function () {
  const told = JSON.parse(element('told').textContent);
  if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark');
  element('title').textContent = told.title;
  const fail = message => {
    element('trouble').hidden = false;
    element('trouble').textContent = message;
  };
  if (typeof DecompressionStream === 'undefined')
    return fail('This page needs a browser from 2023 or later: Firefox 113, Chrome 80, Safari 16.4.');
  if (told.live) return live(told);
  try {
    const app = begin(told);
    window.scree = app;
    const asked = /^#frame=(\d+)$/.exec(location.hash), calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    app.add(told, -1).then(() => {
      if (asked) return app.show(Math.min(Number(asked[1]), told.frames.length - 1));
      if (told.frames.length > 1 && !calm) app.play();
    });
  } catch (error) {
    fail(error.message);
  }
})();
