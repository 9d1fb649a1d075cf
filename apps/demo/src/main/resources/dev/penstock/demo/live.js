'use strict';

// Shared by the demo's live pages: a look at an element, a plot of the last minute, and the events of the server.
const $ = (id) => document.getElementById(id);
const WIDTH = 240;
const histories = {};

const count = (n) => Math.round(n).toLocaleString('en');

// Adds a value to a plot, and returns the most that the plot has.
function plot(name, value) {
  const history = histories[name] ??= [];
  history.push(value);
  if (history.length > WIDTH) history.shift();
  const most = Math.max(...history);
  const scale = most > 0 ? 56 / most : 0;
  const start = WIDTH - history.length;
  const line = history.map((v, i) => (i ? 'L' : 'M') + (start + i) + ' ' + (59 - scale * v).toFixed(2)).join('');
  const svg = $('plot-' + name);
  svg.querySelector('.line').setAttribute('d', line);
  const area = history.length > 1 ? line + 'L' + (WIDTH - 1) + ' 60L' + start + ' 60Z' : '';
  svg.querySelector('.area').setAttribute('d', area);
  return most;
}

function listen(path, show) {
  const events = new EventSource(path);
  const said = $('state').innerHTML;
  events.addEventListener('message', (event) => show(JSON.parse(event.data)));
  events.addEventListener('open', () => { $('state').innerHTML = said; });
  events.addEventListener('error', () => { $('state').textContent = 'The server does not answer; trying again.'; });
}
