'use strict';

const $ = (id) => document.getElementById(id);
const MIB = 1048576;
const history = [];

function bytes(n) {
  if (n >= 1024 * MIB) return (n / 1024 / MIB).toFixed(2) + ' GB';
  return (n / MIB).toFixed(n < 10 * MIB ? 1 : 0) + ' MB';
}

function span(seconds) {
  const h = Math.floor(seconds / 3600), m = Math.floor(seconds / 60) % 60, s = Math.floor(seconds % 60);
  return (h ? h + ' h ' : '') + (h || m ? m + ' min ' : '') + (h ? '' : s + ' s');
}

function draw(max) {
  const points = history.map((used, i) => [i + 120 - history.length, 40 - 40 * used / max]);
  const line = points.map(([x, y], i) => (i ? 'L' : 'M') + x + ' ' + y.toFixed(2)).join('');
  $('line').setAttribute('d', line);
  $('area').setAttribute('d', points.length > 1 ? line + 'L119 40L' + points[0][0] + ' 40Z' : '');
}

async function poll() {
  if (!document.hidden) {
    try {
      const status = await (await fetch('/status', {cache: 'no-store'})).json();
      history.push(status.heap.used);
      if (history.length > 120) history.shift();
      $('heap-used').textContent = bytes(status.heap.used);
      $('heap-max').textContent = bytes(status.heap.max);
      $('running').textContent = status.requests.running;
      $('waiting').textContent = status.requests.queued;
      $('uptime').textContent = span(status.uptimeSeconds);
      draw(status.heap.max);
    } catch {
      $('uptime').textContent = 'stopped';
    }
  }
  setTimeout(poll, 1000);
}

function newlines(chunk) {
  let n = 0;
  for (let i = 0; i < chunk.length; i++) if (chunk[i] === 10) n++;
  return n;
}

function streaming(button, output) {
  let running = null;
  button.addEventListener('click', async () => {
    if (running) {
      running.abort();
      return;
    }
    running = new AbortController();
    const label = button.textContent;
    button.textContent = 'Stop';
    const start = performance.now();
    let rows = 0, size = 0, shown = 0;
    const say = (end) => {
      const seconds = (performance.now() - start) / 1000;
      output.textContent = rows.toLocaleString('en') + ' rows, ' + bytes(size) + ', '
          + Math.round(rows / seconds).toLocaleString('en') + ' rows/s' + end;
    };
    try {
      const reader = (await fetch(button.dataset.path, {signal: running.signal})).body.getReader();
      for (;;) {
        const {done, value} = await reader.read();
        if (done) break;
        rows += newlines(value);
        size += value.length;
        if (performance.now() - shown > 200) {
          shown = performance.now();
          say('');
        }
      }
      say(': complete');
    } catch (failure) {
      say(failure.name === 'AbortError' ? ': stopped, and its query is cancelled' : ': broken off');
    }
    button.textContent = label;
    running = null;
  });
}

for (const code of document.querySelectorAll('.command code')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy the command');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  if (navigator.clipboard) code.parentElement.append(button);
}

for (const button of document.querySelectorAll('button[data-path]')) {
  button.hidden = false;
  streaming(button, button.nextElementSibling);
}
poll();
