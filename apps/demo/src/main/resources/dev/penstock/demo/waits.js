'use strict';

const MIB = 1048576;

const bytes = (n) => (n / MIB).toFixed(n < 10 * MIB ? 1 : 0) + ' MB';
const millis = (n) => (n < 10 ? n.toFixed(2) : n.toFixed(0)) + ' ms';

function show(figures) {
  $('waits').textContent = count(figures.suspended);
  $('threads').textContent = count(figures.threads);
  $('heap-used').textContent = bytes(figures.heap.used);
  $('heap-max').textContent = bytes(figures.heap.max);
  $('processes').textContent = count(figures.processes);
  $('answers').textContent = count(figures.answers * 2);
  $('median').textContent = figures.answers ? millis(figures.lateMillis.p50) : '–';
  $('p99').textContent = figures.answers ? millis(figures.lateMillis.p99) : '–';
  $('most-waits').textContent = count(plot('waits', figures.suspended));
  $('most-late').textContent = millis(plot('late', figures.lateMillis.p99));
}

listen('/waits/events', show);

function button(id, action) {
  const element = $(id);
  const output = element.nextElementSibling;
  element.hidden = false;
  element.addEventListener('click', async () => {
    element.disabled = true;
    try {
      await action((text) => { output.textContent = text; });
    } catch (failure) {
      output.textContent = String(failure.message || failure);
    }
    element.disabled = false;
  });
}

button('wait', async (say) => {
  say('waiting');
  const start = performance.now();
  const one = async (i) => (await fetch('/hi?wait=2000&n=' + i, {cache: 'no-store'})).text();
  const texts = await Promise.all([1, 2, 3, 4].map(one));
  say(texts[3] + ', four times, in ' + Math.round(performance.now() - start) + ' ms');
});

button('process', async (say) => {
  const response = await fetch('/process?seconds=5', {cache: 'no-store'});
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    say(value.trim().split('\n').pop());
  }
});

button('echo', (say) => new Promise((done, fail) => {
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/waits/echo');
  const times = [];
  let start;
  const send = () => { start = performance.now(); socket.send('message ' + times.length); };
  socket.addEventListener('open', send);
  socket.addEventListener('message', () => {
    times.push(performance.now() - start);
    if (times.length < 100) return send();
    times.sort((a, b) => a - b);
    say('median ' + millis(times[50]) + ', 99 of 100 within ' + millis(times[98]));
    socket.close(1000);
    done();
  });
  socket.addEventListener('close', () => fail(new Error('The server has closed the connection.')));
}));

for (const base of document.querySelectorAll('.base')) base.textContent = location.origin;
