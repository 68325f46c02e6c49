import { once } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import Koa from 'koa';
import { FILE_MAX_BYTES } from '@tallybook/http-contract';
import { readFile, type SentFile } from '../../src/requests/read-file.js';
import { LocalServer } from '../fixtures/local-server.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';

const TYPES = ['text/csv', 'text/plain'];
const CSV = 'id;first\r\n04A2B3C4D5;Ad\u00e9\r\n';
const LATIN = Buffer.from(CSV, 'latin1');

/** A server that reads a file from each request. It answers with 204, or with the refusal. */
class FileServer extends LocalServer {
  readonly files: SentFile[] = [];
  /** Reasons of refused files. */
  readonly failures: string[] = [];

  constructor() {
    super();
    const app = new Koa();
    app.silent = true;
    app.use(async (ctx) => {
      try {
        this.files.push(await readFile(ctx, TYPES));
        ctx.status = 204;
      } catch (error) {
        this.failures.push((error as Error).message);
        throw error;
      }
    });
    this.server.on('request', app.callback());
  }

  async send(body: string | Uint8Array | FormData, headers: Record<string, string> = {}): Promise<string> {
    const response = await fetch(this.url, { method: 'POST', body, headers });
    return `${response.status} ${await response.text()}`;
  }

  /** Begins to send a file of a given length, and resolves when the server reads it. */
  async begin(length: number): Promise<Socket> {
    const socket = this.connect();
    const request = once(this.server, 'request');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/csv\r\n');
    socket.write(`Content-Length: ${length}\r\n\r\n`);
    await request;
    return socket;
  }
}

const part = (name: string, content: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const filePart = part('people', 'content', '; filename="people.csv"');
const inForm = { 'Content-Type': 'multipart/form-data; boundary=b' };

describe('a sent file', () => {
  const server = useEach(() => new FileServer().listen());

  it('as the body arrives unchanged, with its type and charset', async () => {
    expect(
      await server.send(LATIN, { 'Content-Type': 'Text/CSV; header=present; charset="Windows-1252"' }),
    ).to.equal('204 ');
    expect(await server.send(LATIN, { 'Content-Type': 'text/plain' })).to.equal('204 ');
    expect(server.files).to.deep.equal([
      { bytes: LATIN, type: 'text/csv', charset: 'windows-1252', fields: new Map() },
      { bytes: LATIN, type: 'text/plain', charset: undefined, fields: new Map() },
    ]);
  });

  it('in a form arrives unchanged with every type, and so do other fields', async () => {
    const form = new FormData();
    form.append('comment', 'of the year 2025');
    form.append('comment', 'of this year: Zoë');
    form.append('people', new File([LATIN], 'Leute "2026".csv', { type: 'application/vnd.ms-excel' }));
    expect(await server.send(form)).to.equal('204 ');
    expect(server.files).to.deep.equal([
      {
        ...{ bytes: LATIN, type: 'application/vnd.ms-excel', charset: undefined },
        fields: new Map([['comment', 'of this year: Zoë']]),
      },
    ]);
  });

  it('may be empty, also without a body', async () => {
    expect(await server.send('', { 'Content-Type': 'text/csv' })).to.equal('204 ');
    const form = new FormData();
    form.append('people', new File([], 'people.csv'));
    expect(await server.send(form)).to.equal('204 ');
    expect(server.files.map(({ bytes }) => bytes.length)).to.deep.equal([0, 0]);
  });

  it('may have 1 MiB, and no byte more', async () => {
    const csv = { 'Content-Type': 'text/csv' };
    expect(await server.send(Buffer.alloc(FILE_MAX_BYTES, 'x'), csv)).to.equal('204 ');
    const tooLarge = '413 the body must have at most 1048576 bytes';
    expect(await server.send(Buffer.alloc(FILE_MAX_BYTES + 1, 'x'), csv)).to.equal(tooLarge);
    expect(await server.send('x'.repeat(FILE_MAX_BYTES), inForm)).to.match(/^400 /);
    expect(await server.send('x'.repeat(FILE_MAX_BYTES + 1), inForm)).to.equal(tooLarge);
    expect(server.files.map(({ bytes }) => bytes.length)).to.deep.equal([FILE_MAX_BYTES]);
  });

  const csv = { 'Content-Type': 'text/csv' };
  const formOf = (rest: string): object => ({ 'Content-Type': `multipart/form-data${rest}` });
  const refused: readonly [what: string, body: string | Uint8Array, answer: RegExp, headers?: object][] = [
    [
      'is of another type',
      '{}',
      /^415 .* text\/csv, text\/plain, multipart\/form-data; got "application\/json"$/,
      { 'Content-Type': 'application/json' },
    ],
    ['is compressed', gzipSync(LATIN), /^415 .*compressed/, { ...csv, 'Content-Encoding': 'gzip' }],
    ['is in a form without a boundary', filePart, /^400 .*boundary/, formOf('')],
    ['is in a form with a broken boundary', filePart, /^400 .*boundary/, formOf('; boundary="\u00e4"')],
    [
      'is in a form with another boundary',
      `${filePart}--b--\r\n`,
      /^400 the body is not multipart/,
      formOf('; boundary=c'),
    ],
    ['is in a form that breaks off', filePart, /^400 the body is not multipart/],
    ['is missing in a form', `${part('people', 'content')}--b--\r\n`, /^400 .*one file; it has 0$/],
    ['is one of two in a form', `${filePart}${filePart}--b--\r\n`, /^400 .*one file; it has 2$/],
    [
      'is named in a text without its end',
      `${part('x', 'content', '; comment="; filename=x')}--b--\r\n`,
      /^400 .*one file; it has 0$/,
    ],
    [
      'is in a form of 17 fields',
      `${part('x', '').repeat(16)}${filePart}--b--\r\n`,
      /^400 .*at most 16 fields$/,
    ],
    [
      'is in a form with long headers',
      `${part('x', '', '; x'.repeat(2_000))}${filePart}--b--\r\n`,
      /^400 .*at most 4096 bytes$/,
    ],
  ];
  for (const [what, body, answer, headers = inForm] of refused) {
    it(`is refused when it ${what}`, async () => {
      expect(await server.send(body, { ...headers })).to.match(answer);
      expect(server.files).to.deep.equal([]);
    });
  }

  it('may be the last of 16 fields', async () => {
    expect(await server.send(`${part('x', '').repeat(15)}${filePart}--b--\r\n`, inForm)).to.equal('204 ');
    expect(String(server.files[0]?.bytes)).to.equal('content');
  });

  it('may be cut: then no part of it arrives, and other files do', async () => {
    for (let n = 0; n < 9; n++) {
      const socket = await server.begin(100);
      socket.write('x'.repeat(50));
      socket.destroy();
    }
    expect(await server.send(LATIN, { 'Content-Type': 'text/csv' })).to.equal('204 ');
    expect(server.files).to.have.length(1);
    while (server.failures.length < 9) await new Promise(setImmediate);
    expect(new Set(server.failures)).to.deep.equal(new Set(['the body did not arrive as a whole']));
  });
});
