// Event-stream clients on raw sockets, in a process of their own. They report when the last of them has read a text.
import { connect } from 'node:net';

const sockets = new Set();
let watched;

// The benchmark has ended.
process.on('disconnect', () => process.exit());
process.on('message', async ({ command, ...job }) => {
  if (command === 'open') process.send({ opened: await openAll(job) });
  else if (command === 'catch-up') process.send({ milliseconds: await catchUp(job) });
  else watch(job.text);
});

async function openAll({ url, count }) {
  const { hostname, port } = new URL(url);
  for (let opened = 0; opened < count; opened += 100) {
    const wanted = Math.min(100, count - opened);
    await Promise.all(Array.from({ length: wanted }, () => openOne(hostname, port)));
  }
  return sockets.size;
}

/** Milliseconds until the last of many clients, which connect at once, has read a text. */
async function catchUp({ url, count, lastEventId, text }) {
  const { hostname: host, port } = new URL(url);
  const before = process.hrtime.bigint();
  const readOne = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port: Number(port) }).once('error', reject);
      let tail = '';
      socket.on('data', (chunk) => {
        tail += chunk.latin1Slice();
        if (tail.includes(text)) socket.destroy();
        tail = tail.slice(-text.length);
      });
      socket.once('close', resolve);
      socket.write(
        `GET /api/idevent HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nLast-Event-ID: ${lastEventId}\r\n\r\n`,
      );
    });
  await Promise.all(Array.from({ length: count }, readOne));
  return Number(process.hrtime.bigint() - before) / 1e6;
}

function openOne(host, port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port) });
    socket.tail = '';
    socket.once('error', reject).once('data', () => resolve());
    socket.on('data', (chunk) => read(socket, chunk));
    socket.once('close', () => {
      sockets.delete(socket);
      if (watched?.missing.has(socket)) process.send({ lost: watched.text });
    });
    socket.write('GET /api/idevent HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n');
    sockets.add(socket);
  });
}

function watch(text) {
  watched = { text, missing: new Set(sockets) };
  process.send({ watching: text });
}

function read(socket, chunk) {
  if (watched === undefined || !watched.missing.has(socket)) return;
  // A text may come in two chunks.
  const text = socket.tail + chunk.latin1Slice();
  socket.tail = text.slice(-watched.text.length);
  if (!text.includes(watched.text)) return;
  watched.missing.delete(socket);
  if (watched.missing.size > 0) return;
  watched = undefined;
  process.send({ seenAtNs: process.hrtime.bigint().toString(), subscribers: sockets.size });
}
