'use strict';

const SETTINGS = ['instances', 'callers', 'millis'];
const lately = [];

const time = (ms) => (ms < 1000 ? Math.round(ms) + ' ms' : (ms / 1000).toFixed(1) + ' s');
const shown = {instances: count, callers: count, millis: time};

const WORDS = {idle: 'idle', busy: 'busy', starting: 'starting', quarantined: 'hangs', stopping: 'stopping'};
const isGone = (instance) => instance.state === 'quarantined' || instance.state === 'stopping';

function tile() {
  const item = document.createElement('li');
  for (const [name, style] of [['b', ''], ['span', 'what'], ['span', 'more']]) {
    const part = document.createElement(name);
    part.className = style;
    item.append(part);
  }
  return item;
}

// Those that serve calls come first, so that they stay in place while others come and go behind them.
function tiles(instances) {
  const list = $('tiles');
  const ordered = [...instances.filter((i) => !isGone(i)), ...instances.filter(isGone)];
  while (list.children.length > ordered.length) list.lastElementChild.remove();
  while (list.children.length < ordered.length) list.append(tile());
  ordered.forEach((instance, i) => {
    const item = list.children[i];
    const [number, what, more] = item.children;
    item.className = 'tile ' + instance.state;
    number.textContent = '# ' + instance.index;
    what.textContent = WORDS[instance.state];
    more.textContent = instance.state === 'quarantined'
      ? time(instance.runningMillis) : count(instance.calls) + (instance.calls === 1 ? ' call' : ' calls');
  });
}

// A slider that was moved by hand is left alone for a while.
let movedAt = -Infinity;

function sliders(settings) {
  if (performance.now() - movedAt < 1500) return;
  for (const name of SETTINGS) {
    $(name).value = settings[name];
    $(name + '-value').textContent = shown[name](settings[name]);
  }
}

// The mean of a second, so that the number can be read.
function steady(rate) {
  lately.push(rate);
  if (lately.length > 4) lately.shift();
  return lately.reduce((a, b) => a + b, 0) / lately.length;
}

function show(figures) {
  $('rate').textContent = count(steady(figures.rate));
  for (const name of ['busy', 'size', 'waiting', 'failures', 'restarts', 'timeouts', 'rejections']) {
    $(name).textContent = count(figures[name]);
  }
  $('longest').textContent = time(figures.longestWaitMillis);
  $('most-rate').textContent = count(plot('rate', figures.rate));
  $('most-waiting').textContent = count(plot('waiting', figures.waiting));
  tiles(figures.instances);
  sliders(figures.settings);
}

listen('/pools/events', show);

async function post(path) {
  let text = '';
  try {
    const response = await fetch(path, {method: 'POST'});
    const body = await response.text();
    if (!response.ok) text = JSON.parse(body).detail || body;
  } catch (failure) {
    text = String(failure.message || failure);
  }
  $('said').textContent = text;
}

let timer;
for (const name of SETTINGS) {
  $(name).addEventListener('input', () => {
    movedAt = performance.now();
    $(name + '-value').textContent = shown[name](Number($(name).value));
    clearTimeout(timer);
    timer = setTimeout(() => {
      post('/pools/settings?' + SETTINGS.map((each) => each + '=' + $(each).value).join('&'));
    }, 120);
  });
}

for (const name of ['fail', 'hang']) {
  $(name).disabled = false;
  $(name).addEventListener('click', () => post('/pools/' + name));
}
