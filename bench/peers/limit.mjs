// The limit of the runtime: node:http with prepared buffers, raw classic-level with synced puts, and a simple loop over the
// event streams. It checks no input.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { ClassicLevel } from 'classic-level';
import { answers, READING } from '../dataset.mjs';

/** Number of taps that are written at the same time. */
const WRITERS = 32;

const [folder, isEmpty] = process.argv.slice(2);
const database = new ClassicLevel(folder);
await database.open();

const texts = isEmpty === 'empty' ? { mapping: '{}', day: '{}', days: '[]' } : answers(READING);
const prepared = Object.fromEntries(
  Object.entries(texts).map(([name, text]) => {
    const body = Buffer.from(text);
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, ETag: etag };
    return [`/api/${name}`, { body, etag, headers }];
  }),
);
const subscribers = new Set();

const server = createServer((request, response) => {
  if (request.method === 'POST') return store(request, response);
  const path = request.url.split('?', 1)[0];
  if (path === '/api/idevent') return subscribe(response);
  const answer = prepared[path];
  if (answer === undefined) return response.writeHead(404).end();
  if (request.headers['if-none-match'] === answer.etag) {
    return response.writeHead(304, { ETag: answer.etag }).end();
  }
  response.writeHead(200, answer.headers).end(answer.body);
});
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));

function store(request, response) {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (text += chunk));
  request.on('end', async () => {
    const { id, name } = JSON.parse(text);
    await database.put(id, JSON.stringify(name), { sync: true });
    response.writeHead(201, { 'Content-Length': 0 }).end();
  });
}

function subscribe(response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', Connection: 'close' });
  response.write('retry: 2000\n\n');
  subscribers.add(response);
  response.on('close', () => subscribers.delete(response));
}

function publish(event, data) {
  for (const response of subscribers) response.write(`event: ${event}\ndata: ${data}\n\n`);
}

const waiting = [];
let writers = 0;

createInterface({ input: process.stdin }).on('line', (id) => {
  publish('msg', id);
  waiting.push(id);
  if (writers < WRITERS) void write();
});

async function write() {
  writers++;
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    await database.put(id, String(Date.now()), { sync: true });
    publish('attendance', JSON.stringify({ id, at: Math.floor(Date.now() / 1000), outcome: 'counted' }));
  }
  writers--;
}
