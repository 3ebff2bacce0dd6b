// Pictures and films to keep.

function keep(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function filmKind() {
  if (typeof MediaRecorder === 'undefined') return null;
  return ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'].find(kind => MediaRecorder.isTypeSupported(kind)) || null;
}

// Records each frame once. \param drawFrame  draws a frame on a pen, and returns when that is done
// \return the film, or null where `stopped()` became true
async function record(frames, rate, width, height, drawFrame, stopped) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, {width: width & ~1, height: height & ~1});
  const pen = canvas.getContext('2d');
  await drawFrame(0, pen);
  const kind = filmKind(), stream = canvas.captureStream(rate), pieces = [];
  const recorder = new MediaRecorder(stream, {mimeType: kind, videoBitsPerSecond: 8e6});
  recorder.ondataavailable = event => pieces.push(event.data);
  const ended = new Promise(resolve => recorder.onstop = resolve);
  recorder.start();
  for (let frame = 0; frame < frames && !stopped(); ++frame) {
    const due = performance.now() + 1000 / rate;
    await drawFrame(frame, pen);
    await new Promise(resolve => setTimeout(resolve, Math.max(due - performance.now(), 0)));
  }
  await new Promise(resolve => setTimeout(resolve, 2000 / rate));
  recorder.stop();
  await ended;
  return stopped() ? null : new Blob(pieces, {type: kind.split(';')[0]});
}
