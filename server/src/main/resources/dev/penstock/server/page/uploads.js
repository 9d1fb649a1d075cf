'use strict';

const $ = (id) => document.getElementById(id);
const AT_ONCE = 3;
const server = {path: document.body.dataset.path, token: '', checksums: false};
const uploads = [];

function bytes(n) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  for (; n >= 1024 && unit < units.length - 1; unit++) n /= 1024;
  return (unit && n < 100 ? n.toFixed(1) : Math.round(n)) + ' ' + (unit ? units[unit] : n === 1 ? 'byte' : 'bytes');
}

function span(seconds) {
  if (seconds < 90) return Math.max(1, Math.round(seconds)) + ' s';
  return seconds < 5400 ? Math.round(seconds / 60) + ' min' : (seconds / 3600).toFixed(1) + ' h';
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function button(label, name, action) {
  const made = element('button', 'plain', label);
  made.type = 'button';
  made.setAttribute('aria-label', label + ' ' + name);
  made.addEventListener('click', action);
  return made;
}

function say(text) {
  $('said').textContent = text;
}

/** The line of one upload. */
class Row {
  constructor(name, size) {
    this.item = element('li');
    this.name = element('span', 'name', name);
    this.name.title = name;
    this.buttons = element('span', 'buttons');
    this.progress = element('progress');
    this.progress.max = Math.max(1, size);
    this.progress.value = 0;
    this.progress.setAttribute('aria-label', 'Progress of ' + name);
    const state = element('span', 'state');
    this.text = element('span', 'text');
    this.much = element('span');
    state.append(this.text, this.much);
    this.item.append(this.name, this.buttons, this.progress, state);
    this.rate = 0;
    this.samples = 0;
    this.measured = {at: performance.now(), sent: 0};
    $('running').append(this.item);
  }

  /** Bytes a second, smoothed over some seconds. */
  measure(sent) {
    const now = performance.now(), seconds = (now - this.measured.at) / 1000;
    if (sent < this.measured.sent) this.measured = {at: now, sent};
    if (seconds < 0.4) return;
    const latest = (sent - this.measured.sent) / seconds;
    // At first the mean of what there is: a connection is slow to begin.
    const share = Math.max(0.2, 1 / ++this.samples);
    this.rate = (1 - share) * this.rate + share * latest;
    this.measured = {at: now, sent};
  }

  show(upload) {
    const {state, sent, size} = upload;
    if (state === 'running') {
      this.measure(sent);
    } else {
      this.rate = 0;
      this.samples = 0;
      this.measured = {at: performance.now(), sent};
    }
    this.item.className = state;
    this.progress.value = size ? sent : state === 'finished' ? 1 : 0;
    const left = this.rate > 0 && sent < size ? ', ' + span((size - sent) / this.rate) + ' left' : '';
    const texts = {
      waiting: 'Waiting for its turn',
      running: this.rate > 0 ? bytes(this.rate) + '/s' + left : 'Under way',
      paused: 'Paused',
      retrying: upload.problem + '; trying again',
      failed: upload.problem,
      finished: 'Finished',
    };
    this.text.textContent = texts[state] || '';
    this.much.textContent = Math.floor(100 * (size ? sent / size : 1)) + ' % of ' + bytes(size);
  }
}

function add(file) {
  const same = uploads.find((each) => each.fingerprint === fingerprint(file)
      && !['finished', 'canceled', 'failed'].includes(each.state));
  if (same) {
    say(file.name + ' is under way already');
    return;
  }
  drop(fingerprint(file));
  const upload = new TusUpload(file, server, changed);
  upload.row = new Row(file.name, file.size);
  uploads.push(upload);
  changed(upload);
}

/** Removes the line of an upload whose file was asked for, or that failed. */
function drop(print) {
  const stale = document.querySelector('li[data-fingerprint="' + CSS.escape(print) + '"]');
  if (stale) stale.remove();
  const failed = uploads.find((each) => each.fingerprint === print && each.state === 'failed');
  if (failed) remove(failed);
}

function remove(upload) {
  upload.row.item.remove();
  uploads.splice(uploads.indexOf(upload), 1);
}

function changed(upload) {
  const row = upload.row;
  row.show(upload);
  if (row.shown !== upload.state) {
    row.shown = upload.state;
    row.buttons.replaceChildren(...controls(upload));
    if (['finished', 'failed', 'paused'].includes(upload.state)) {
      say(upload.name + ': ' + row.text.textContent);
    }
    if (upload.state === 'finished') list().catch((failure) => say(failure.message));
    if (['finished', 'canceled'].includes(upload.state)) remove(upload);
    startNext();
  }
  tidy();
}

function controls(upload) {
  const cancel = button('Cancel', upload.name, () => upload.cancel());
  cancel.classList.add('danger');
  const resume = (label) => button(label, upload.name, () => upload.become('waiting'));
  switch (upload.state) {
    case 'waiting':
    case 'running':
    case 'retrying': return [button('Pause', upload.name, () => upload.pause()), cancel];
    case 'paused': return [resume('Resume'), cancel];
    case 'failed': return [resume('Try again'), cancel];
    default: return [];
  }
}

function startNext() {
  const running = uploads.filter((each) => ['running', 'retrying'].includes(each.state)).length;
  uploads.filter((each) => each.state === 'waiting').slice(0, Math.max(0, AT_ONCE - running))
      .forEach((each) => each.start());
}

function tidy() {
  $('running-section').hidden = !$('running').children.length;
  $('pause-all').hidden = uploads.filter((each) => ['waiting', 'running', 'retrying'].includes(each.state)).length < 2;
  $('resume-all').hidden = uploads.filter((each) => each.state === 'paused').length < 2;
}

/** Shows what an earlier visit began: a page can't open files by itself, so it asks for them. */
function remember() {
  for (const [print, upload] of Object.entries(known.all())) {
    const row = new Row(upload.name, upload.size);
    row.item.dataset.fingerprint = print;
    row.item.className = 'paused';
    row.text.textContent = 'Drop or choose this file again, and it goes on where it was';
    const forget = button('Discard', upload.name, () => {
      known.remove(print);
      row.item.remove();
      discard(upload.url, server);
      tidy();
    });
    forget.classList.add('danger');
    row.buttons.append(forget);
    send('HEAD', upload.url, {token: server.token}).then((head) => {
      const offset = Number(head.getResponseHeader('Upload-Offset'));
      row.progress.value = offset;
      row.much.textContent = Math.floor(100 * offset / Math.max(1, upload.size)) + ' % of ' + bytes(upload.size);
      if (offset < upload.size) return;
      known.remove(print);
      row.item.remove();
      tidy();
    }, (failure) => {
      if (failure.status !== 404 && failure.status !== 410) return;
      known.remove(print);
      row.item.remove();
      tidy();
    });
  }
  tidy();
}

/** A link can't bring the token, so a cookie does: for this one file, and for a minute. */
function allow(path) {
  document.cookie = 'penstock-token=' + server.token + '; path=' + path + '; max-age=60; samesite=strict'
      + (location.protocol === 'https:' ? '; secure' : '');
}

async function list() {
  const answer = await send('GET', server.path, {token: server.token});
  const all = JSON.parse(answer.responseText);
  const finished = all.uploads.filter((each) => each.complete);
  $('finished').replaceChildren(...finished.map((each) => {
    const row = element('tr'), name = element('th'), link = element('a', '', each.name || each.id);
    const path = new URL(each.location, location.href).pathname;
    link.href = path;
    link.download = each.name || '';
    if (server.token) link.addEventListener('click', () => allow(path));
    name.scope = 'row';
    name.append(link);
    const when = each.created ? new Date(each.created).toLocaleString() : '';
    row.append(name, element('td', 'number', bytes(each.offset)), element('td', 'when', when));
    return row;
  }));
  $('none').hidden = finished.length > 0;
  $('finished-box').hidden = !finished.length;
  $('count').textContent = finished.length ? String(finished.length) : '';
}

async function limits() {
  const options = await send('OPTIONS', server.path, {token: server.token});
  const most = Number(options.getResponseHeader('Tus-Max-Size'));
  server.checksums = (options.getResponseHeader('Tus-Checksum-Algorithm') || '').split(',').includes('sha256');
  $('limits').textContent = most && most < Number.MAX_SAFE_INTEGER ? 'Up to ' + bytes(most) + ' each.' : '';
}

function askForToken(problem) {
  $('token-panel').hidden = false;
  $('uploads').hidden = true;
  $('token-problem').hidden = !problem;
  $('token-problem').textContent = problem;
  $('token').focus();
}

async function open() {
  if (document.body.dataset.token === 'required' && !server.token) {
    askForToken('');
    return;
  }
  try {
    await list();
  } catch (failure) {
    if (failure.status === 401) {
      sessionStorage.removeItem('penstock-token');
      askForToken(server.token ? failure.message : '');
      return;
    }
    say(failure.message);
    $('none').textContent = failure.message;
  }
  $('token-panel').hidden = true;
  $('uploads').hidden = false;
  limits().catch(() => {});
  $('running').replaceChildren();
  remember();
}

function acceptDrops() {
  let depth = 0;
  const over = (event, change) => {
    if (!event.dataTransfer || !event.dataTransfer.types.includes('Files') || $('uploads').hidden) return;
    event.preventDefault();
    depth = change === 0 ? depth : depth + change;
    $('drop').classList.toggle('over', depth > 0);
  };
  addEventListener('dragenter', (event) => over(event, 1));
  addEventListener('dragleave', (event) => over(event, -1));
  addEventListener('dragover', (event) => over(event, 0));
  addEventListener('drop', (event) => {
    over(event, -depth);
    depth = 0;
    $('drop').classList.remove('over');
    if ($('uploads').hidden || !event.dataTransfer) return;
    for (const item of event.dataTransfer.items) {
      const entry = item.webkitGetAsEntry && item.webkitGetAsEntry();
      if (entry && entry.isDirectory) {
        say('Folders can’t be uploaded; drop the files in them');
      } else if (item.kind === 'file') {
        add(item.getAsFile());
      }
    }
  });
}

$('choose').addEventListener('change', (event) => {
  [...event.target.files].forEach(add);
  event.target.value = '';
});
$('pause-all').addEventListener('click', () => {
  uploads.filter((each) => ['waiting', 'running', 'retrying'].includes(each.state)).forEach((each) => each.pause());
});
$('resume-all').addEventListener('click', () => {
  uploads.filter((each) => each.state === 'paused').forEach((each) => each.become('waiting'));
});
$('token-form').addEventListener('submit', (event) => {
  event.preventDefault();
  server.token = $('token').value.trim();
  $('token').value = '';
  sessionStorage.setItem('penstock-token', server.token);
  open();
});
addEventListener('beforeunload', (event) => {
  if (uploads.some((each) => ['running', 'retrying', 'waiting'].includes(each.state))) event.preventDefault();
});
$('endpoint').textContent = location.origin + server.path;
if (document.body.dataset.token === 'required') server.token = sessionStorage.getItem('penstock-token') || '';
acceptDrops();
open();
