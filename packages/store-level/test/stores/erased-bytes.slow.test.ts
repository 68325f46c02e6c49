import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  mergePeople,
  parsePersonId,
  parseTallyId,
  reservedTallyId,
  toCarried,
  toDay,
  toTimestamp,
  type TallyId,
} from '@tallybook/domain';
import type { KeptErasure, NewCorrection } from '@tallybook/domain/record';
import { LevelStorage } from '@tallybook/store-level';
import { expect } from 'chai';
import { fileOf } from '../fixtures/known-directory.js';
import { filesWithBytes, formsOfId } from '../fixtures/leveldb/files-with-bytes.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { givenTo, personOf, putPeople, rowsOf } from '../fixtures/people.js';
import { openStores as openAllStores, type OpenStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { facetOf } from '@tallybook/testing';

const ada = parseTallyId('04A2B3C4D5');
const others = Array.from({ length: 20 }, (_, n) =>
  parseTallyId(`0102030${n.toString(16).padStart(3, '0')}`),
);
const name = { first: 'Adalberta', last: 'Lovelacenko' };
/** Free text, which has more personal data than an id. */
const reason = 'At the dentist in Quxhaven';
const start = 1_763_500_000;
/** So that removed names leave a row. */
const stamps = { node: 'hall', now: () => start * 1_000 };
const request = { ids: [ada], until: toTimestamp(start + 99_000_000), expiresAt: toTimestamp(start * 2) };

describe('LevelErasureStore on the disk', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();

  it('leaves no byte of id and name in any file, from any number of tables', async () => {
    const path = join(directory.path, 'store');
    for (let part = 0; part < 4; part++) {
      await using stores = await openStores(path);
      await fill(stores, part);
    }
    expect(await filesWith(path, ada), 'before').to.not.deep.equal([]);
    {
      await using stores = await openStores(path);
      // In one table together with its removal.
      await stores.names.put(ada, { first: name.first, last: 'Former' });
      await stores.names.put(ada, name);
      await stores.names.remove(ada);
      await stores.erasures.erase(request);
      expect(await stores.erasures.scrub()).to.equal(true);
      expect(await filesWith(path, ada), 'while it is open').to.deep.equal([]);
    }
    expect(await filesWith(path, ada)).to.deep.equal([]);
    await using stores = await openStores(path);
    expect((await stores.days.load(toDay(20_000)))?.entries).to.have.lengthOf(others.length);
    expect(await stores.corrections.list(toDay(20_000), toDay(20_000))).to.have.lengthOf(others.length);
    expect(await filesWith(path, ada), 'when it is open again').to.deep.equal([]);
  });

  it('leaves no byte of a person who is erased by their tag of last resort, and the timeline of the next holder', async () => {
    const path = join(directory.path, 'store');
    const [adalberta, bob] = [parsePersonId('0123456789ABCD'), parsePersonId('ABCDEF01234567')];
    const searched = [Buffer.from(adalberta), ...namesOf()];
    {
      await using stores = await openStores(path);
      for (let round = 0; round < 3; round++) {
        const person = personOf(adalberta, { ...name, first: `${name.first}${round}` }, round);
        await putPeople(
          stores.people,
          [person, personOf(bob, { first: 'Bob', last: '' })],
          [givenTo(ada, adalberta)],
        );
      }
    }
    await using stores = await openStores(path);
    await putPeople(stores.people, [], [givenTo(ada, bob, 0, 1)]);
    await stores.people.write(rowsOf({ persons: new Map([[adalberta, undefined]]) }), rowsOf({}));
    expect(await filesWith(path, ada, ...searched), 'before').to.not.deep.equal([]);
    await stores.erasures.erase({ ...request, ids: [reservedTallyId(adalberta), ada] });
    expect(await stores.erasures.scrub()).to.equal(true);
    expect(await filesWith(path, ada, ...searched)).to.deep.equal([]);
    expect((await stores.people.holderAt(ada, toTimestamp(start))).person).to.equal(bob);
  });

  it('leaves no byte of a carried row about a person who is erased', async () => {
    const path = join(directory.path, 'store');
    const person = parsePersonId('0123456789ABCD');
    const searched = [Buffer.from(person), ...namesOf()];
    for (let round = 0; round < 3; round++) {
      await using stores = await openStores(path);
      const row = toCarried({
        ...{ kind: 'occasion', id: '1', stamp: [round, 0, ''], persons: [person], tags: [], value: name },
      });
      await mergePeople(stores.people, [{ kind: 'carried', row }]);
    }
    await using stores = await openStores(path);
    expect(await filesWith(path, ada, ...searched), 'before').to.not.deep.equal([]);
    await stores.erasures.erase({ ...request, ids: [], persons: [person] });
    expect(await stores.people.carried(undefined, 10)).to.deep.equal([]);
    expect(await stores.erasures.scrub()).to.equal(true);
    expect(await filesWith(path, ada, ...searched)).to.deep.equal([]);
  });

  it('reports that bytes are left while somebody keeps a former state readable', async () => {
    await using stores = await openStores(join(directory.path, 'store'));
    await fill(stores, 0);
    const snapshot = await stores.snapshots.take();
    await stores.erasures.erase(request);
    expect(await stores.erasures.scrub()).to.equal(false);
    await snapshot[Symbol.asyncDispose]();
    expect(await stores.erasures.scrub()).to.equal(true);
    expect(await filesWith(join(directory.path, 'store'), ada)).to.deep.equal([]);
  });

  it('continues to read and write while files are written anew', async () => {
    await using stores = await openStores(join(directory.path, 'store'));
    await fill(stores, 0);
    await stores.erasures.erase(request);
    const scrubbing = stores.erasures.scrub();
    const day = toDay(30_000);
    const [first] = others;
    const work = Array.from({ length: 50 }, async (_, n) => {
      await stores.days.record(day, first ?? ada, toTimestamp(start + n));
      await stores.days.load(toDay(20_000));
    });
    await Promise.all(work);
    expect(await scrubbing).to.equal(true);
    expect((await stores.days.load(day))?.entries[0]?.count).to.equal(50);
  });

  it('has not begun, and refuses nothing, if the first write fails', async () => {
    await using stores = await openStores(join(directory.path, 'store'));
    await fill(stores, 0, 10);
    probe.current.failOnce(new Error('no space left'));
    const isErased = await stores.erasures.erase(request).then(
      () => true,
      () => false,
    );
    expect(isErased).to.equal(false);
    expect(stores.erasures.isRefused(ada, undefined)).to.equal(false);
    expect(await kindsOf(stores, ada)).to.include('name');
    await stores.erasures.erase(request);
    expect(await kindsOf(stores, ada)).to.deep.equal([]);
  });

  it('is finished by the next opening after an interruption at any write', async () => {
    for (let writes = 1, isDone = false; !isDone; writes++) {
      const path = join(directory.path, `store-${writes}`);
      {
        await using stores = await openStores(path);
        await fill(stores, 0, 40);
        const heal = probe.current.failAt(writes + 1);
        isDone = await stores.erasures.erase(request).then(
          () => true,
          () => false,
        );
        heal();
      }
      await using stores = await openStores(path);
      expect(stores.erasures.isRefused(ada, request.until), `after ${writes} writes`).to.equal(true);
      expect(await kindsOf(stores, ada), `after ${writes} writes`).to.deep.equal([]);
      expect(await stores.erasures.scrub()).to.equal(true);
      expect(await filesWith(path, ada)).to.deep.equal([]);
    }
  });

  it('continues an erasure when it is called again after an interruption at any write', async () => {
    const taken = await takenErasure(join(directory.path, 'other'));
    for (let writes = 0, isDone = false; !isDone; writes++) {
      await using stores = await openStores(join(directory.path, `store-${writes}`));
      await fill(stores, 0, 40);
      const heal = probe.current.failAt(writes + 1);
      isDone = await stores.erasures.add([taken], request.until).then(
        () => true,
        () => false,
      );
      heal();
      await stores.erasures.add([taken], request.until);
      expect(await kindsOf(stores, ada), `after ${writes} writes`).to.deep.equal([]);
      expect(await erasedIn(stores), `after ${writes} writes`).to.deep.equal([taken.digest]);
      expect((await stores.erasures.list()).map(({ state }) => state)).to.deep.equal(['removed']);
    }
  });

  for (const way of ['the next opening', 'the next scrubbing'] as const) {
    it(`keeps later data when ${way} continues it`, async () => {
      const path = join(directory.path, 'store');
      const later = toTimestamp(request.until + 60);
      {
        await using stores = await openStores(path);
        await fill(stores, 0, 5);
        const heal = probe.current.failAt(2);
        await stores.erasures.erase(request).catch(() => undefined);
        heal();
        const ms = later * 1_000;
        await using names = facetOf(stores.database, 'stampedNames');
        await names.open();
        await names.merge([
          { id: ada, name: { first: 'Cyd', last: '' }, stamp: { ms, counter: 0, node: 'hall' } },
        ]);
        await stores.days.record(toDay(29_000), ada, later);
        if (way === 'the next scrubbing') await stores.erasures.scrub();
      }
      await using stores = await openStores(path);
      expect((await stores.names.get(ada))?.first).to.equal('Cyd');
      expect(await stores.days.scans(toDay(29_000), ada)).to.deep.equal([later]);
      expect((await kindsOf(stores, ada)).filter((kind) => kind === 'entry')).to.have.lengthOf(1);
      expect(await erasedIn(stores)).to.have.lengthOf(1);
    });
  }

  it('restores nothing in a repair that reads former tables', async () => {
    const path = join(directory.path, 'store');
    {
      await using stores = await openStores(path);
      await fill(stores, 0);
    }
    {
      // Its rows are removed, but its bytes are not.
      await using stores = await openStores(path);
      await stores.erasures.erase(request);
      await stores.names.put(ada, { first: 'Cyd', last: '' });
      await stores.days.record(toDay(29_000), ada, toTimestamp(request.until + 1));
    }
    expect(await filesWith(path, ada)).to.not.deep.equal([]);
    for (let repairs = 1; repairs <= 2; repairs++) {
      await damageATable(path);
      const { keptIn } = await LevelStorage.repair(path);
      expect(keptIn).to.equal(join(path, `damaged-${repairs}`));
      await using stores = await openStores(path);
      // Later data is of another person.
      expect(await kindsOf(stores, ada)).to.deep.equal(['name', 'stamp', 'entry', 'change', 'change']);
      expect((await stores.names.get(ada))?.first).to.equal('Cyd');
      expect(stores.erasures.of(ada).map(({ until }) => until)).to.deep.equal([request.until]);
      expect(await stores.erasures.formerFiles()).to.include(`damaged-${repairs}`);
      expect(await filesWith(path, ada, Buffer.from(name.last), Buffer.from(reason))).to.deep.equal([]);
    }
  });
});

function openStores(path: string): Promise<OpenStores> {
  return openAllStores(path, {}, stamps);
}

async function fill(stores: OpenStores, part: number, days = 60): Promise<void> {
  await stores.names.put(ada, { ...name, first: `${name.first}${part}` });
  for (const id of others) await stores.names.put(id, { first: `Other ${id}`, last: '' });
  const work: Promise<unknown>[] = [];
  for (let day = 0; day < days; day++) {
    const at = start + (part * days + day) * 86_400;
    for (const [index, id] of [ada, ...others].entries()) {
      for (const seconds of [0, 60, 3_600]) {
        const time = toTimestamp(at + index + seconds);
        work.push(stores.days.record(toDay(20_000 + part * days + day), id, time, { reader: 'door' }));
      }
    }
    if (day % 10 === 9) await Promise.all(work.splice(0));
  }
  await Promise.all(work);
  const scan = { reader: 'door', bootId: 'boot', shown: toTimestamp(start), notBefore: toTimestamp(start) };
  for (const id of [ada, ...others]) await stores.provisional.add({ ...scan, id, monotonicMs: part + 0.5 });
  for (let day = 0; day < days; day += 10) {
    const at = toTimestamp(start + (part * days + day) * 86_400 + 7_200);
    const made = { day: toDay(20_000 + part * days + day), at, author: 'desk', madeAt: at } as const;
    const corrections = [ada, ...others].map((id): NewCorrection => {
      return { ...made, action: 'add', id, reason: id === ada ? reason : 'Forgot to tap', state: 'pending' };
    });
    // Decided, so that there is a former state of each row too.
    for (const { number, id } of await stores.corrections.correct(corrections)) {
      const verdict = { state: 'approved', by: 'boss', at, ...(id === ada && { reason }) } as const;
      await stores.corrections.decide(number, verdict);
    }
  }
}

/** The state of the erasure in another store. */
async function takenErasure(path: string): Promise<KeptErasure> {
  await using stores = await openStores(path);
  await stores.erasures.erase(request);
  const [taken] = await stores.erasures.list();
  if (taken === undefined) throw new Error('nobody was erased');
  return taken;
}

/** The digests of the erasures in the journal. */
async function erasedIn({ journal }: OpenStores): Promise<readonly string[]> {
  const page = await journal.read(0, 100_000);
  const entries = page.isKnown ? page.entries : [];
  return entries.flatMap(({ change }) => (change.kind === 'erased' ? [change.digest] : []));
}

async function kindsOf(stores: OpenStores, id: TallyId): Promise<readonly string[]> {
  const kinds: string[] = [];
  for await (const { kind } of stores.erasures.trace(id)) kinds.push(kind);
  return kinds;
}

/** Files that contain an id as bytes or text, or its names, compressed or not. */
async function filesWith(
  path: string,
  id: TallyId,
  ...searched: readonly Buffer[]
): Promise<readonly string[]> {
  const wanted = searched.length > 0 ? searched : [...formsOfId(id), ...namesOf()];
  return filesWithBytes(path, wanted);
}

function namesOf(): readonly Buffer[] {
  return [Buffer.from(name.first), Buffer.from(name.last), Buffer.from(reason)];
}

async function damageATable(path: string): Promise<void> {
  const table = await fileOf(path, /\.ldb$/);
  const bytes = await readFile(table);
  bytes.fill(0xff, 100, 104);
  await writeFile(table, bytes);
}
