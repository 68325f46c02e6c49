import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Answer } from '../../fixtures/documented.js';
import { type RunningService, useService } from '../../fixtures/running-service.js';
import { StreamClient } from '../../fixtures/stream-client.js';

const ada = { first: 'Ada', last: 'Lovelace' };
const bob = { first: 'Bob', last: '' };
const list = 'id;first;last\r\n0a:0a:0a;Ada;Lovelace\r\n0B0B0B;Bob;\r\n';
const bad = `${list}0C0C;Carl;\r\n0D0D0D;;\r\n`;

interface Sent {
  readonly query?: string;
  readonly type?: string;
  readonly accept?: string;
}

function send(
  service: RunningService,
  body: string | Buffer | FormData,
  { query = '', type, accept }: Sent = {},
): Promise<Answer> {
  const headers = {
    ...(body instanceof FormData ? {} : { 'Content-Type': type ?? 'text/csv' }),
    Accept: accept ?? 'application/json',
  };
  return service.request(`/api/people${query}`, { method: 'POST', headers, body });
}

/** Begins to send the list, and resolves when the service is about to read it or lets it wait. */
async function begin(service: RunningService): Promise<Socket> {
  const socket = service.connect();
  socket.write(
    'POST /api/people HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/csv\r\n',
  );
  socket.write(`Expect: 100-continue\r\nContent-Length: ${list.length}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

async function names(service: RunningService): Promise<unknown> {
  return JSON.parse((await service.request('/api/mapping')).text);
}

describe('POST /api/people', () => {
  let service: RunningService;
  useService((started) => (service = started));

  const reading = {
    encoding: 'utf-8',
    guesses: [],
    titles: ['id', 'first', 'last'],
    columns: { id: 1, first: 2, last: 3 },
    withoutTag: 0,
    remarks: [],
  };
  const changes = [
    { line: 2, id: '0A0A0A', before: null, after: ada },
    { line: 3, id: '0B0B0B', before: ada, after: bob },
  ];

  it('accepts a list of names, reports its changes, and announces them in numbers', async () => {
    await service.post({ id: '0B0B0B', name: ada });
    const client = await StreamClient.connect(service);
    const { status, headers, text } = await send(service, list);
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(headers.get('cache-control')).to.equal('no-store');
    const report = { isDryRun: false, added: 1, changed: 1, same: 0, changes, refused: [], reading };
    expect(JSON.parse(text)).to.deep.equal(report);
    expect(await names(service)).to.deep.equal({ '0A0A0A': ada, '0B0B0B': bob });
    expect(service.changedNames).to.deep.equal([{ added: 1, changed: 1, removed: 0 }]);
    expect((await client.receive(1))[0]).to.include({
      event: 'names',
      data: '{"added":1,"changed":1,"removed":0}',
    });
  });

  it('reports no changes for a known list, and announces nothing', async () => {
    await send(service, list);
    const { text } = await send(service, list);
    expect(JSON.parse(text)).to.include({ added: 0, changed: 0, same: 2 });
    expect(service.changedNames.length).to.equal(1);
  });

  it('only reports its changes with dry-run=1', async () => {
    await service.post({ id: '0B0B0B', name: ada });
    const { text } = await send(service, list, { query: '?dry-run=1' });
    const report = { isDryRun: true, added: 1, changed: 1, same: 0, changes, refused: [], reading };
    expect(JSON.parse(text)).to.deep.equal(report);
    expect(await names(service)).to.deep.equal({ '0B0B0B': ada });
    expect(service.changedNames).to.deep.equal([]);
    await send(service, list, { query: '?dry-run=0' });
    expect(await names(service)).to.deep.equal({ '0A0A0A': ada, '0B0B0B': bob });
  });

  it('writes nothing if a line is faulty, and names faulty lines with their reasons', async () => {
    const { status, headers, text } = await send(service, bad);
    expect(status).to.equal(422);
    expect(headers.get('content-type')).to.equal('application/problem+json');
    const { refused, ...problem } = JSON.parse(text) as { refused: { line: number; code: string }[] };
    expect(problem).to.include({ status: 422, title: 'Unprocessable Entity', code: 'INVALID_NAME_LIST' });
    expect(refused.map(({ line, code }) => [line, code])).to.deep.equal([
      [4, 'INVALID_TALLY_ID'],
      [5, 'INVALID_NAME'],
    ]);
    expect(await names(service)).to.deep.equal({});
    expect(service.changedNames).to.deep.equal([]);
    expect(service.reports).to.deep.equal([]);
  });

  it('names the first faulty line as text, and the number of others', async () => {
    const { text } = await send(service, bad, { accept: 'text/plain' });
    expect(text).to.match(
      /^nothing was written, because lines were refused: line 4: a tally id is .*; 1 more$/,
    );
    const one = await send(service, '0C0C;Carl;', { accept: 'text/plain' });
    expect(one.text).to.match(/line 1: .* 4 characters$/);
  });

  it('reports how the list was read, in the language of the person, and takes choices', async () => {
    const found = Buffer.from('ID;Karte;Vorname\r1;0A0A0A;J\u009Frgen\r2;;Ben\r', 'latin1');
    const first = await send(service, found, { query: '?dry-run=1' });
    expect(JSON.parse(first.text)).to.have.property('added', 1);
    const { reading: read } = JSON.parse(first.text) as { reading: Record<string, unknown> };
    expect(read).to.deep.include({
      encoding: 'macintosh',
      titles: ['ID', 'Karte', 'Vorname'],
      columns: { id: 2, first: 3, last: null },
      withoutTag: 1,
    });
    expect((read['guesses'] as object[])[0]).to.deep.equal({ encoding: 'macintosh', words: ['Jürgen'] });
    expect(read['remarks']).to.include('1 person without a tag is left out.');
    const chosen = await service.request(
      '/api/people?encoding=windows-1252&id-column=Karte&first-column=1&last-column=3',
      { method: 'POST', headers: { 'Content-Type': 'text/csv', 'Accept-Language': 'de-DE,de' }, body: found },
    );
    expect(JSON.parse(chosen.text)).to.deep.nested.include({
      'changes[0].after': { first: '1', last: 'JŸrgen' },
      'reading.guesses': [],
    });
    expect(chosen.text).to.include('1 Person ohne Chip wird ausgelassen.');
  });

  it('refuses a list without known titles for one cause, with its titles to choose from', async () => {
    const { status, text } = await send(service, 'Kort;Efternamn;Förnamn\n0A0A0A;L;A\n0B0B0B;M;B\n');
    expect(status).to.equal(422);
    const problem = JSON.parse(text) as { refused: object[]; reading: { titles: string[] } };
    expect(problem.refused.length).to.equal(1);
    expect(problem.reading.titles).to.deep.equal(['Kort', 'Efternamn', 'Förnamn']);
  });

  it('refuses an unknown encoding with those that it knows', async () => {
    const { status, text } = await send(service, list, { query: '?encoding=cp37', accept: 'text/plain' });
    expect(status).to.equal(400);
    expect(text).to.match(/^encoding: must be "utf-8" or "windows-1252" or .*; got "cp37"$/);
  });

  it('names faulty lines in a dry run, and the changes of the others', async () => {
    const { status, text } = await send(service, bad, { query: '?dry-run=1' });
    expect(status).to.equal(200);
    const { added, refused } = JSON.parse(text) as { added: number; refused: { line: number }[] };
    expect([added, refused.map(({ line }) => line)]).to.deep.equal([2, [4, 5]]);
  });

  for (const type of ['text/csv; charset=windows-1252', 'text/plain', 'text/tab-separated-values']) {
    it(`takes ${type}, whatever encoding it is in`, async () => {
      expect((await send(service, Buffer.from('0A0A0A\tZoë\t', 'latin1'), { type })).status).to.equal(200);
      expect(await names(service)).to.deep.equal({ '0A0A0A': { first: 'Zoë', last: '' } });
    });
  }

  for (const type of ['application/jsonl', 'application/x-ndjson']) {
    it(`takes ${type}`, async () => {
      const line = '{"id":"0A0A0A","first":"Ada","last":"Lovelace"}\n';
      expect((await send(service, line, { type })).status).to.equal(200);
      expect(await names(service)).to.deep.equal({ '0A0A0A': ada });
    });
  }

  it('accepts the file of a form with every type', async () => {
    const form = new FormData();
    form.set('file', new Blob([list], { type: 'application/vnd.ms-excel' }), 'people.csv');
    expect((await send(service, form)).status).to.equal(200);
    expect(await names(service)).to.deep.equal({ '0A0A0A': ada, '0B0B0B': bob });
  });

  it('refuses an empty list, other types, other values of dry-run, and what is too large', async () => {
    expect((await send(service, '')).status).to.equal(422);
    expect((await send(service, '{}', { type: 'application/json' })).status).to.equal(415);
    for (const query of ['?dry-run=yes', '?dry-run=', '?dry-run=1&dry-run=1']) {
      const { status, text } = await send(service, list, { query, accept: 'text/plain' });
      expect([status, text.slice(0, 9)], query).to.deep.equal([400, 'dry-run: ']);
    }
    expect((await send(service, 'a'.repeat(1_048_577))).status).to.equal(413);
    expect(await names(service)).to.deep.equal({});
  });

  it('accepts at most ten thousand names', async () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => `${String(n).padStart(8, '0')};${n};`).join('\n');
    expect(JSON.parse((await send(service, lines)).text)).to.include({ added: 10_000 });
    const { status, text } = await send(service, `${lines}\nFFFFFFFF;x;`);
    expect(status).to.equal(422);
    expect((JSON.parse(text) as { refused: object[] }).refused).to.deep.equal([
      { line: 10_001, code: 'INVALID_NAME_LIST', message: 'a list has at most 10000 lines; split it' },
    ]);
  });

  it('is 500, and announces nothing, when the store cannot write', async () => {
    await service.mapping.close();
    const { status, text: said } = await send(service, list, { accept: 'text/plain' });
    expect([status, said]).to.deep.equal([500, 'Internal server error']);
    expect(service.reports.length).to.equal(1);
    await service.mapping.open();
  });

  it('frees the places of refused lists', async () => {
    for (let n = 0; n < 6; n++) await send(service, list, { query: '?dry-run=yes' });
    expect((await send(service, list)).status).to.equal(200);
  });

  it('reads four lists at a time: a fifth waits until one of them is done', async () => {
    // Loads the reader of lists.
    await send(service, list, { query: '?dry-run=1' });
    const slow = [];
    for (let n = 0; n < 4; n++) slow.push(await begin(service));
    const fifth = await begin(service);
    fifth.write(list);
    for (let n = 0; n < 9; n++) expect(await names(service)).to.deep.equal({});
    slow[0]?.write(list);
    const answer = await text(fifth);
    expect(answer).to.match(/^HTTP\/1.1 200 /);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).to.include({ added: 0, same: 2 });
  });
});
