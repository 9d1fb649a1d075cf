const byId = id => document.getElementById(id);

function line(list, text) {
  const item = document.createElement('li');
  item.textContent = text; // never innerHTML: it comes from others
  list.append(item);
}

async function showNotes() {
  const response = await fetch('/api/notes');
  if (!response.ok) {
    return; // not signed in
  }
  byId('outside').hidden = true;
  byId('inside').hidden = false;
  byId('notes').replaceChildren();
  for (const note of await response.json()) {
    line(byId('notes'), `${note.author}: ${note.text}`);
  }
  openChat();
}

byId('add').addEventListener('submit', async event => {
  event.preventDefault();
  const body = JSON.stringify({ text: event.target.text.value });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch('/api/notes', { method: 'POST', headers, body });
  const note = await response.json();
  line(byId('notes'), response.ok ? `${note.author}: ${note.text}` : note.detail);
  event.target.reset();
});

function openChat() {
  const chat = new WebSocket(`${location.protocol.replace('http', 'ws')}//${location.host}/api/chat`);
  chat.onmessage = event => line(byId('said'), event.data);
  byId('say').addEventListener('submit', event => {
    event.preventDefault();
    chat.send(event.target.text.value);
    event.target.reset();
  });
}

showNotes();
