import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { Emitter } from '@tallybook/domain';
import { HttpListener, type HttpListenerOptions, type KeyPair, type KeyPairSource } from '@tallybook/server';
import { makeCertificate } from '../../../testing/test/fixtures/certificate.js';
import { CountedEmitter } from '../fixtures/counted-emitter.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import type { TallybookProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

async function ask(url: string, options: RequestOptions): Promise<string> {
  const [response] = (await once(get(url, { agent: false, ...options }), 'response')) as [IncomingMessage];
  return text(response);
}

describe('HttpListener with a certificate', () => {
  const first = makeCertificate({ name: 'first' });

  async function listen(tls: KeyPairSource, options: HttpListenerOptions = {}): Promise<HttpListener> {
    const listener = new HttpListener((_, response) => void response.end('hello'), '127.0.0.1', 0, {
      tls,
      ...options,
    });
    await listener.open();
    return listener;
  }

  function connectTo(listener: HttpListener, ca: string): TLSSocket {
    return connectSecurely({ port: Number(new URL(listener.url).port), host: '127.0.0.1', ca });
  }

  it('answers over https, at its URL, clients that trust the certificate', async () => {
    await using listener = await listen({ current: first, changes: new Emitter() });
    expect(listener.url).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask(listener.url, { ca: first.cert })).to.equal('hello');
  });

  it('uses a replaced certificate for new connections, and keeps the existing ones', async () => {
    const changes = new Emitter<KeyPair>();
    const second = makeCertificate({ name: 'second' });
    await using listener = await listen({ current: first, changes });
    const there = connectTo(listener, first.cert);
    await once(there, 'secureConnect');
    changes.emit(second);
    expect(await ask(listener.url, { ca: second.cert })).to.equal('hello');
    there.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await text(there)).to.match(/hello$/);
  });

  it('does not listen for further certificates after it is closed', async () => {
    const heard = new CountedEmitter<KeyPair>();
    const listener = await listen({ current: first, changes: heard });
    expect(heard.listeners).to.equal(1);
    await listener.close();
    expect(heard.listeners).to.equal(0);
  });

  it('tells a client that speaks plain http to use https, in plain http', async () => {
    await using listener = await listen({ current: first, changes: new Emitter() });
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const answer = await text(socket);
    expect(answer).to.match(/^HTTP\/1\.1 400 Bad Request\r\n[^]*write https:\/\/ in front of the address$/);
    expect(answer).to.include('Connection: close');
    expect(await ask(listener.url, { ca: first.cert })).to.equal('hello');
  });

  it('takes no older TLS than 1.2', async () => {
    await using listener = await listen({ current: first, changes: new Emitter() });
    const options = { ca: first.cert, ciphers: 'DEFAULT@SECLEVEL=0', minVersion: 'TLSv1' } as const;
    expect(await ask(listener.url, { ...options, maxVersion: 'TLSv1.2' })).to.equal('hello');
    const error: unknown = await ask(listener.url, { ...options, maxVersion: 'TLSv1.1' }).catch(
      (cause: unknown) => cause,
    );
    expect(error)
      .to.have.property('message')
      .that.matches(/alert protocol version/);
  });

  it('cuts a client that begins no handshake, without an answer', async () => {
    await using listener = await listen(
      { current: first, changes: new Emitter() },
      { requestTimeoutMs: 300, maxConnections: 1 },
    );
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').on('error', () => undefined);
    expect(await text(socket)).to.equal('');
  });

  it('uses no cipher with CBC, before and after it gets another certificate', async () => {
    const changes = new Emitter<KeyPair>();
    await using listener = await listen({ current: first, changes });
    for (const renewed of [undefined, first]) {
      if (renewed !== undefined) changes.emit(renewed);
      const options = { ca: first.cert, maxVersion: 'TLSv1.2' } as const;
      expect(await ask(listener.url, { ...options, ciphers: 'ECDHE+AESGCM' })).to.equal('hello');
      const error: unknown = await ask(listener.url, {
        ...options,
        ciphers: 'ECDHE+AES+SHA256:AES128-SHA',
      }).catch((cause: unknown) => cause);
      expect(error).to.be.instanceOf(Error);
    }
  });

  it('closes during a handshake of a client', async () => {
    const listener = await listen({ current: first, changes: new Emitter() }, { drainMs: 600_000 });
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    // The first record of a handshake that never ends.
    socket.write(Buffer.from('160301', 'hex'));
    expect(await ask(listener.url, { ca: first.cert })).to.equal('hello');
    await listener.close();
    socket.destroy();
  });
});

describe('tallybook serve with --tls-cert and --tls-key', () => {
  const processes = runningProcesses();
  const folder = temporaryFolder();

  function start(): TallybookProcess {
    const files = ['--tls-cert', folder.path('cert'), '--tls-key', folder.path('key')];
    return processes.start('serve', '--port', '0', '--store', 'memory:', ...files);
  }

  async function write(pair: KeyPair): Promise<void> {
    await writeFile(folder.path('cert'), pair.cert);
    await writeFile(folder.path('key'), pair.key, { mode: 0o644 });
  }

  it('serves over https, and warns of a key that everybody may read', async () => {
    const pair = makeCertificate();
    await write(pair);
    const running = start();
    const [, url = ''] = await running.says(/listening on (https:[^"\s]+)/);
    expect(await ask(`${url}/api/time`, { ca: pair.cert })).to.match(/^\d+$/);
    await running.says(/open https:/);
    await running.says(/"level":40.*everybody on this machine can read the file of --tls-key/);
  });

  it('loads a new certificate at SIGHUP, and keeps the old one if the new one is unusable', async () => {
    const pairs = [makeCertificate(), makeCertificate()] as const;
    await write(pairs[0]);
    const running = start();
    const [, url = ''] = await running.says(/listening on (https:[^"\s]+)/);
    await writeFile(folder.path('cert'), 'nothing');
    running.child.kill('SIGHUP');
    await running.says(/"level":50.*holds no certificate.*the old certificate stays in use/);
    expect(await ask(`${url}/api/time`, { ca: pairs[0].cert })).to.match(/^\d+$/);
    await write(pairs[1]);
    running.child.kill('SIGHUP');
    await running.says(/(certificate for https read[^]*){2}/);
    expect(await ask(`${url}/api/time`, { ca: pairs[1].cert })).to.match(/^\d+$/);
  });
});
