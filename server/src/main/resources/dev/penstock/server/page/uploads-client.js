'use strict';

/** Bytes of a request: what a broken connection repeats at most. */
const SLICE = 5 * 1024 * 1024;
const PAUSES = [1, 2, 4, 8, 15, 30];
const MOST_FAILURES = 20;

/** Uploads that began and are not finished, by the fingerprint of their file; they survive a reload of the page. */
const known = {
  key: 'penstock-uploads',
  all() {
    try {
      return JSON.parse(localStorage.getItem(this.key)) || {};
    } catch {
      return {};
    }
  },
  save(all) {
    try {
      localStorage.setItem(this.key, JSON.stringify(all));
    } catch {
      // Private windows and full stores: uploads then last as long as the page.
    }
  },
  put(fingerprint, upload) {
    this.save({...this.all(), [fingerprint]: upload});
  },
  remove(fingerprint) {
    const all = this.all();
    delete all[fingerprint];
    this.save(all);
  },
};

function fingerprint(file) {
  return [file.name, file.size, file.lastModified, file.webkitRelativePath || ''].join('|');
}

function base64(bytes) {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function metadata(file) {
  const utf8 = (text) => base64(new TextEncoder().encode(text));
  return 'filename ' + utf8(file.name) + (file.type ? ',filetype ' + utf8(file.type) : '');
}

/** What the server says is wrong, or could not be reached to say. */
class Refusal extends Error {
  constructor(status, detail, retryAfter) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may go well later. */
  get passes() {
    return this.status === 0 || this.status === 408 || this.status === 409 || this.status === 423
        || this.status === 429 || this.status === 460 || (this.status >= 500 && this.status !== 501
        && this.status !== 507);
  }
}

function detail(request) {
  try {
    return JSON.parse(request.responseText).detail;
  } catch {
    return null;
  }
}

/** Sends one request by XMLHttpRequest, which tells how much of a body has left. */
function send(method, url, {headers = {}, body = null, token = '', signal = null, progress = null} = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.setRequestHeader('Tus-Resumable', '1.0.0');
    request.setRequestHeader('Accept', 'application/json, application/problem+json');
    if (token) request.setRequestHeader('Authorization', 'Bearer ' + token);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    if (progress) request.upload.onprogress = (event) => progress(event.loaded);
    const abort = () => request.abort();
    if (signal) signal.addEventListener('abort', abort, {once: true});
    request.onloadend = () => {
      if (signal) signal.removeEventListener('abort', abort);
      if (request.status >= 200 && request.status < 300) {
        resolve(request);
      } else if (signal && signal.aborted) {
        reject(signal.reason);
      } else {
        const said = request.status ? detail(request) || 'The server answered ' + request.status
            : 'The server can’t be reached';
        reject(new Refusal(request.status, said, Number(request.getResponseHeader('Retry-After')) || 0));
      }
    };
    request.send(body);
  });
}

/** One upload by tus 1.0. Its state: waiting, running, paused, retrying, failed, finished or canceled. */
class TusUpload {
  constructor(file, server, changed) {
    this.file = file;
    this.server = server;
    this.changed = changed;
    this.name = file.name;
    this.size = file.size;
    this.fingerprint = fingerprint(file);
    this.url = null;
    this.offset = 0;
    this.sent = 0;
    this.state = 'waiting';
    this.problem = '';
    this.stopping = null;
  }

  async start() {
    // Its own: after a pause, another run may begin before this one has noticed.
    const stopping = new AbortController();
    this.stopping = stopping;
    this.become('running');
    let failures = 0;
    while (!stopping.signal.aborted) {
      const before = this.offset;
      try {
        await this.locate();
        this.become('running');
        while (this.offset < this.size) await this.append();
        known.remove(this.fingerprint);
        this.become('finished');
        return;
      } catch (failure) {
        if (stopping.signal.aborted) return;
        failures = this.offset > before ? 1 : failures + 1;
        if (!(failure instanceof Refusal) || !failure.passes || failures > MOST_FAILURES) {
          this.problem = failure.message;
          this.become('failed');
          return;
        }
        await this.wait(failure, failures);
      }
    }
  }

  /** Finds out where to go on, or creates the upload. */
  async locate() {
    const stored = known.all()[this.fingerprint];
    this.url = this.url || (stored && stored.url);
    if (this.url) {
      try {
        const head = await this.request('HEAD', this.url);
        this.offset = Number(head.getResponseHeader('Upload-Offset'));
        this.sent = this.offset;
        return;
      } catch (failure) {
        if (!(failure instanceof Refusal) || ![403, 404, 410].includes(failure.status)) throw failure;
        known.remove(this.fingerprint);
        this.url = null;
      }
    }
    const made = await this.request('POST', this.server.path, {
      headers: {'Upload-Length': String(this.size), 'Upload-Metadata': metadata(this.file)},
    });
    this.url = new URL(made.getResponseHeader('Location'), location.href).pathname;
    this.offset = this.sent = 0;
    known.put(this.fingerprint, {url: this.url, name: this.name, size: this.size, began: Date.now()});
  }

  async append() {
    const slice = this.file.slice(this.offset, Math.min(this.offset + SLICE, this.size));
    const headers = {'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(this.offset)};
    let body = slice;
    if (this.server.checksums && self.crypto && crypto.subtle) {
      try {
        body = await slice.arrayBuffer();
      } catch {
        throw new Error('The file can’t be read any more; choose it again');
      }
      headers['Upload-Checksum'] = 'sha256 ' + base64(new Uint8Array(await crypto.subtle.digest('SHA-256', body)));
    }
    const from = this.offset;
    const answer = await this.request('PATCH', this.url, {
      headers, body, progress: (sent) => {
        this.sent = Math.min(from + sent, this.size);
        this.changed(this);
      },
    });
    this.offset = this.sent = Number(answer.getResponseHeader('Upload-Offset'));
    this.changed(this);
  }

  request(method, url, options = {}) {
    const signal = this.stopping.signal;
    if (signal.aborted) return Promise.reject(signal.reason);
    return send(method, url, {token: this.server.token, signal, ...options});
  }

  wait(failure, failures) {
    const pause = failure.status === 409 || failure.status === 460 ? 0.2
        : PAUSES[Math.min(failures, PAUSES.length) - 1];
    const seconds = Math.max(failure.retryAfter, pause) * (0.75 + Math.random() / 2);
    this.problem = failure.message;
    this.sent = this.offset;
    this.become('retrying');
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 1000 * seconds);
      const now = () => {
        clearTimeout(timer);
        resolve();
      };
      addEventListener('online', now, {once: true});
      this.stopping.signal.addEventListener('abort', now, {once: true});
    });
  }

  pause() {
    this.sent = this.offset;
    this.become('paused');
    if (this.stopping) this.stopping.abort();
  }

  async cancel() {
    this.become('canceled');
    if (this.stopping) this.stopping.abort();
    known.remove(this.fingerprint);
    if (this.url) await discard(this.url, this.server);
  }

  become(state) {
    this.state = state;
    this.changed(this);
  }
}

/** Has the server forget an upload; where it can't be reached, the upload expires there. */
async function discard(url, server) {
  try {
    await send('DELETE', url, {token: server.token});
  } catch {
    // It expires.
  }
}
