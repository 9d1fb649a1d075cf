'use strict';

const $ = (id) => document.getElementById(id);
const MOST = 100000;

function place(rest) {
  return document.body.dataset.path + '/' + encodeURIComponent($('collection').value) + rest;
}

function documentPlace() {
  return place('/' + encodeURIComponent($('id').value));
}

async function ask(method, url, accept, body) {
  const headers = {Accept: accept};
  if ($('token').value) headers.Authorization = 'Bearer ' + $('token').value;
  if (body) headers['Content-Type'] = 'application/xml';
  $('status').textContent = method + ' ' + url;
  $('answer').textContent = '';
  try {
    const response = await fetch(url, {method, headers, body});
    const text = await response.text();
    $('status').textContent = method + ' ' + url + ': ' + response.status;
    $('answer').textContent = text.length > MOST ? text.slice(0, MOST) + ' …' : text;
  } catch (failure) {
    $('status').textContent = 'The server did not answer: ' + failure.message;
  }
}

async function collections() {
  const headers = {Accept: 'application/json'};
  if ($('token').value) headers.Authorization = 'Bearer ' + $('token').value;
  const response = await fetch(document.body.dataset.path, {headers});
  if (!response.ok) return;
  const names = (await response.json()).collections;
  $('collection').replaceChildren(...names.map((name) => new Option(name)));
}

function search(name, field, more) {
  return place('?' + name + '=' + encodeURIComponent($(field).value) + (more || ''));
}

$('store').addEventListener('click', () => ask('PUT', documentPlace(), '*/*', $('xml').value));
$('show-xml').addEventListener('click', () => ask('GET', documentPlace(), 'application/xml'));
$('show-json').addEventListener('click', () => ask('GET', documentPlace(), 'application/json'));
$('find').addEventListener('click', () => ask('GET', search('xpath', 'xpath'), 'application/xml'));
$('explain').addEventListener('click', () =>
  ask('GET', search('xpath', 'xpath', '&explain=true'), 'application/json'));
$('find-path').addEventListener('click', () => ask('GET', search('path', 'search'), 'application/xml'));
$('token').addEventListener('change', collections);
collections();
