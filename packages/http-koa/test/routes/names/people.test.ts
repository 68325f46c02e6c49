import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { TallybookError } from '@tallybook/domain';
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

describe('POST /api/people', () => {
  const service = useService();

  const reading = {
    encoding: 'utf-8',
    guesses: [],
    titles: ['id', 'first', 'last'],
    columns: { id: 1, first: 2, last: 3, number: null, group: null, person: null },
    sheets: [],
    sheet: null,
    questions: [],
    remarks: [],
  };
  const carl = { first: 'Bob', last: 'Carlson' };
  const before = { id: 'tag-0B0B0B', name: carl, number: null, groups: [], tags: ['0B0B0B'] };
  const common = { number: null, groups: null, doubts: [], candidates: [] };
  const rows = [
    {
      ...{ line: 2, state: 'new', person: null, by: null, name: ada, ...common },
      ...{ tags: [{ id: '0A0A0A' }], before: null, changes: [] },
    },
    {
      ...{ line: 3, state: 'changed', person: 'tag-0B0B0B', by: 'tag', name: bob, ...common },
      ...{ tags: [{ id: '0B0B0B' }], before, changes: ['name'] },
    },
  ];
  const report = {
    ...{ new: 1, changed: 1, same: 0, doubtful: 0, withoutTag: 0, runningNumber: false },
    ...{ left: [], refused: [], newGroups: [], reading },
  };

  it('accepts a list of persons, reports its changes, and announces them in numbers', async () => {
    await service.post({ id: '0B0B0B', name: carl });
    const client = await StreamClient.connect(service);
    const { status, text } = await send(service, list);
    expect(status).to.equal(200);
    const [first, ...others] = rows;
    const written = [{ ...first, person: 'tag-0A0A0A' }, ...others];
    expect(JSON.parse(text)).to.deep.equal({ isDryRun: false, ...report, rows: written });
    expect(await service.json('/api/mapping')).to.deep.equal({ '0A0A0A': ada, '0B0B0B': bob });
    expect(service.changedNames).to.deep.equal([{ added: 1, changed: 1, removed: 0 }]);
    expect((await client.receive(1))[0]).to.include({
      event: 'names',
      data: '{"added":1,"changed":1,"removed":0}',
    });
  });

  it('reports no changes for a known list, and announces nothing', async () => {
    await send(service, list);
    const { text } = await send(service, list);
    expect(JSON.parse(text)).to.deep.include({ new: 0, changed: 0, same: 2, rows: [] });
    expect(service.changedNames.length).to.equal(1);
  });

  it('only reports its changes with dry-run=1', async () => {
    await service.post({ id: '0B0B0B', name: carl });
    const { text } = await send(service, list, { query: '?dry-run=1' });
    expect(JSON.parse(text)).to.deep.equal({ isDryRun: true, ...report, rows });
    expect(await service.json('/api/mapping')).to.deep.equal({ '0B0B0B': carl });
    expect(service.changedNames).to.deep.equal([]);
    await send(service, list, { query: '?dry-run=0' });
    expect(await service.json('/api/mapping')).to.deep.equal({ '0A0A0A': ada, '0B0B0B': bob });
  });

  describe('with a doubtful row', () => {
    const doubtful = 'Karte;Vorname;Nachname;Mitgliedsnummer\r\n;Grace;Hopper;7\r\n0A0A0A;Alan;Turing;8\r\n';
    let id: string;

    beforeEach(async () => {
      id = await service.people.add({ name: ada, number: '7' });
    });

    function form(choices: unknown): FormData {
      const made = new FormData();
      made.set('file', new Blob([doubtful]), 'people.csv');
      made.set('choices', typeof choices === 'string' ? choices : JSON.stringify(choices));
      return made;
    }

    it('shows who it may be in a dry run, and is refused otherwise, with the row', async () => {
      const shown = JSON.parse((await send(service, doubtful, { query: '?dry-run=1' })).text) as {
        readonly doubtful: number;
        readonly rows: readonly object[];
      };
      expect(shown.doubtful).to.equal(1);
      const person = { id, name: ada, number: '7', groups: [], tags: [] };
      expect(shown.rows[0]).to.deep.include({
        state: 'doubtful',
        doubts: ['another-name'],
        candidates: [person],
      });
      const { status, text } = await send(service, doubtful);
      expect(status).to.equal(422);
      const problem = JSON.parse(text) as { refused: { line: number; code: string }[] };
      expect(problem.refused.map(({ line, code }) => [line, code])).to.deep.equal([[2, 'INVALID_NAME_LIST']]);
      expect(problem).to.have.property('code', 'INVALID_NAME_LIST');
      expect(text).not.to.match(/Grace|Ada|Turing/);
      expect(await service.json('/api/mapping')).to.have.keys([`FF5442${id}`]);
    });

    it('does what the choices of a form say', async () => {
      const { status, text } = await send(service, form({ 2: { take: id, rename: false } }));
      expect([status, (JSON.parse(text) as { new: number }).new]).to.deep.equal([200, 1]);
      expect(await service.json('/api/mapping')).to.deep.include({ [`FF5442${id}`]: ada });
      const skipped = await send(service, form({ 2: { take: 'skip' } }));
      expect(JSON.parse(skipped.text)).to.deep.include({ same: 1, changed: 0 });
    });

    it('refuses choices that are none', async () => {
      for (const [choices, reason] of [
        ['{', 'must be JSON'],
        ['[]', 'must be an object, such as'],
        [{ x: { take: 'new' } }, 'must have lines of the list; got "x"'],
        [{ 2: null }, 'line 2: take is "new", "skip" or the id of a person'],
        [{ 2: { take: 'me' } }, 'line 2: take is'],
        [{ 2: { take: 'new', rename: 1 } }, 'line 2: rename is true or false'],
        [{ 2: { take: 'new', tags: 'keep' } }, 'line 2: tags is "add" or "replace"'],
      ] as const) {
        const { status, text } = await send(service, form(choices), { accept: 'text/plain' });
        expect([status, text.slice(0, 9 + reason.length)]).to.deep.equal([400, `choices: ${reason}`]);
      }
      expect((await send(service, form({ 9: { take: 'new' } }))).status).to.equal(422);
      expect(service.changedNames).to.deep.equal([]);
    });

    it('takes numbers as the request says', async () => {
      const { text } = await send(service, doubtful, { query: '?dry-run=1&numbers=running' });
      expect(JSON.parse(text)).to.include({ new: 2, doubtful: 0, runningNumber: false });
      const { status } = await send(service, doubtful, { query: '?numbers=no' });
      expect(status).to.equal(400);
    });
  });

  it('writes nothing if a line is faulty, and names faulty lines with their reasons', async () => {
    const { status, text } = await send(service, bad);
    expect(status).to.equal(422);
    const { refused, ...problem } = JSON.parse(text) as { refused: { line: number; code: string }[] };
    expect(problem).to.include({ status: 422, title: 'Unprocessable Entity', code: 'INVALID_NAME_LIST' });
    expect(refused.map(({ line, code }) => [line, code])).to.deep.equal([
      [4, 'INVALID_TALLY_ID'],
      [5, 'INVALID_NAME'],
    ]);
    expect(await service.json('/api/mapping')).to.deep.equal({});
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
    expect(JSON.parse(first.text)).to.include({ new: 2, withoutTag: 1 });
    const { reading: read } = JSON.parse(first.text) as { reading: Record<string, unknown> };
    expect(read).to.deep.include({
      encoding: 'macintosh',
      titles: ['ID', 'Karte', 'Vorname'],
      columns: { id: 2, first: 3, last: null, number: null, group: null, person: null },
    });
    expect((read['guesses'] as object[])[0]).to.deep.equal({ encoding: 'macintosh', words: ['Jürgen'] });
    const chosen = await service.post(
      found,
      { 'Content-Type': 'text/csv', 'Accept-Language': 'de-DE,de' },
      '/api/people?encoding=windows-1252&id-column=Karte&first-column=1&last-column=3',
    );
    expect(JSON.parse(chosen.text)).to.deep.nested.include({
      'rows[0].name': { first: '1', last: 'JŸrgen' },
      'reading.guesses': [],
    });
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
    const { new: added, refused } = JSON.parse(text) as { new: number; refused: { line: number }[] };
    expect([added, refused.map(({ line }) => line)]).to.deep.equal([2, [4, 5]]);
  });

  for (const type of ['text/csv; charset=windows-1252', 'text/plain', 'text/tab-separated-values']) {
    it(`takes ${type}, whatever encoding it is in`, async () => {
      expect((await send(service, Buffer.from('0A0A0A\tZoë\t', 'latin1'), { type })).status).to.equal(200);
      expect(await service.json('/api/mapping')).to.deep.equal({ '0A0A0A': { first: 'Zoë', last: '' } });
    });
  }

  for (const type of ['application/jsonl', 'application/x-ndjson']) {
    it(`takes ${type}`, async () => {
      const line = '{"id":"0A0A0A","first":"Ada","last":"Lovelace"}\n';
      expect((await send(service, line, { type })).status).to.equal(200);
      expect(await service.json('/api/mapping')).to.deep.equal({ '0A0A0A': ada });
    });
  }

  it('accepts the file of a form with every type', async () => {
    const form = new FormData();
    form.set('file', new Blob([list], { type: 'application/vnd.ms-excel' }), 'people.csv');
    expect((await send(service, form)).status).to.equal(200);
    expect(await service.json('/api/mapping')).to.deep.equal({ '0A0A0A': ada, '0B0B0B': bob });
  });

  it('refuses an empty list, other types, other values of dry-run, and what is too large', async () => {
    expect((await send(service, '')).status).to.equal(422);
    expect((await send(service, '{}', { type: 'application/json' })).status).to.equal(415);
    for (const query of ['?dry-run=yes', '?dry-run=', '?dry-run=1&dry-run=1']) {
      const { status, text } = await send(service, list, { query, accept: 'text/plain' });
      expect([status, text.slice(0, 9)], query).to.deep.equal([400, 'dry-run: ']);
    }
    expect((await send(service, 'a'.repeat(1_048_577))).status).to.equal(413);
    expect(await service.json('/api/mapping')).to.deep.equal({});
  });

  it('accepts at most ten thousand names', async () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => `${String(n).padStart(8, '0')};${n};`).join('\n');
    expect(JSON.parse((await send(service, lines)).text)).to.include({ new: 10_000 });
    const { status, text } = await send(service, `${lines}\nFFFFFFFF;x;`);
    expect(status).to.equal(422);
    expect((JSON.parse(text) as { refused: object[] }).refused).to.deep.equal([
      { line: 10_001, code: 'INVALID_NAME_LIST', message: 'a list has at most 10000 lines; split it' },
    ]);
  });

  it('is 503, and announces nothing, when the store cannot write', async () => {
    service.storage.people.write = () => Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'full'));
    expect((await send(service, list)).status).to.equal(503);
    expect(service.reports.length).to.equal(1);
    expect(service.changedNames).to.deep.equal([]);
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
    for (let n = 0; n < 9; n++) expect(await service.json('/api/mapping')).to.deep.equal({});
    slow[0]?.write(list);
    const answer = await text(fifth);
    expect(answer).to.match(/^HTTP\/1.1 200 /);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).to.include({ new: 0, same: 2 });
  });
});
