// The built service, composed as for a device with three readers and an indicator, so that a harness can watch it:
//
//   node service.mjs STORE BASE
//
// bundle-service.ts first puts it into one file.
//
// Its time begins at BASE, in seconds since 1970. Each tap is a second later, so every tap is a scan of its own. The readers
// are stdin and the descriptors 4 and 5. It writes notes to descriptor 3 about its input and its acknowledgements. An
// acknowledgement is noted before anybody outside can see it:
//
//   opening | tapped ID | attended ID DAY AT | indicated SIGNAL ID | held ID DAY AT SHOWN | filed ID DAY AT
//   | told CURSOR CHANGE
//
// `told` is a change that a follower of the journal gets, as JSON. GET /harness/journal?after=CURSOR reads the journal,
// GET /harness/people the rows of persons and tags.
// The lines in the header `x-sent` of a request are noted at its arrival, those in `x-acknowledged` when it succeeds. Several
// lines are separated by "; ".
//
// There is an admin, and a request without a cookie counts as sent by the admin: permissions are not tested here.
//
// Environment:
// DOUBTED: how many scans are kept as provisional before the clock is right. Until then the clock is not synchronised, and
// shows 1970. The right day and second of a `held` scan are DAY and AT; SHOWN is the time that the clock showed.
// ON_DAMAGE: the value of --on-damage.
// TABLE_BYTES: LevelDB begins a new table after so many bytes instead of 4 MiB, so that it switches and compacts under a load
// of seconds.
// FAULT breaks the promise on purpose. `no-sync`: never syncs. `early`: acknowledges a name before it writes it.
// `journal-apart`: writes the changes of the journal in a separate batch. `journal-unsynced`: the same without a sync.
// `journal-back`: forgets the latest entries of the journal at each start, so that it gives their cursors again. The faults
// in `forget` acknowledge a change and never write it.
import { existsSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { JournalConsumer, ManagedResource, toTimestamp } from '@tallybook/domain';
import { owner } from '@tallybook/domain/access';
import { StdinIdSource } from '@tallybook/readers';
import { SystemSecrets } from '@tallybook/system';
import { createContainer, loadConfig, serviceId, SystemClock } from '@tallybook/server';
import { Level } from 'level';
import { PLAIN_TABLES } from '../../packages/store-level/dist/level/raw-level.js';
import { storageFormat } from '../../packages/store-level/dist/rows/format-row.js';
import { knowFormatZero } from '../cuts/format-zero.ts';
import { FOLLOWER, readJournal } from '../ledger/read-journal.ts';
import { readPeople } from '../ledger/read-people.ts';

const [store, base] = process.argv.slice(2);
const { TABLE_BYTES, FAULT, DOUBTED = '0', ON_DAMAGE = 'refuse' } = process.env;
/** How far the clock is behind before it is right. */
const LAG_SECONDS = 1_999_000_000;
/**
 * The smallest work factor: otherwise a hash takes a third of a second. A kill cannot change how hard a password is
 * to guess.
 */
const WORK_FACTOR = 10;
/** The prefix of the keys of the journal's changes. */
const CHANGE = [0x00, 0x00];
const FORGOTTEN_ENTRIES = 3;

const note = (text) => writeSync(3, `${text}\n`);

let seconds = Number(base);
let doubted = Number(DOUBTED);

/** A clock for which all runs belong to one boot, whose monotonic clock began in 1970. */
class StagedClock extends SystemClock {
  bootId = 'boot';

  now() {
    return toTimestamp(doubted > 0 ? seconds - LAG_SECONDS : seconds);
  }

  monotonicMs() {
    return seconds * 1000;
  }

  isSynchronised() {
    return doubted <= 0;
  }
}

/** The clock of the readers: each tap takes a second. */
class TickingClock extends StagedClock {
  now() {
    seconds++;
    return super.now();
  }
}

/** Days are removed only on request. */
class NoUpkeep extends ManagedResource {
  async onOpen() {}
  async onClose() {}
}

bendLevel();
knowFormatZero(storageFormat);
const config = loadConfig(
  {
    ...{ host: '127.0.0.1', port: '0', store: `level:${store}`, repeatWindow: '0', onDamage: ON_DAMAGE },
    keep: '1days',
  },
  {},
);
const container = createContainer(config);
const clock = new StagedClock();
const ticking = new TickingClock();
const calendar = container.get(serviceId('calendar'));
const streams = [process.stdin, new Socket({ fd: 4 }), new Socket({ fd: 5 })];
const sources = streams.map(
  (stream, index) => new StdinIdSource({ name: `reader ${index}`, stream }, ticking),
);
container.rebind(serviceId('clock')).toConstantValue(clock);
container.rebind(serviceId('idSources')).toConstantValue(sources);
container.rebind(serviceId('secrets')).toConstantValue(new SystemSecrets({ workFactor: WORK_FACTOR }));
container.rebind(serviceId('dataUpkeep')).toConstantValue(new NoUpkeep());
container.bind(serviceId('indicator')).toConstantValue({
  show: ({ signal, id }) => note(`indicated ${signal} ${id}`),
});
container.get(serviceId('app')).middleware.unshift(async (ctx, next) => {
  const { headers } = ctx.req;
  if (headers.cookie === undefined) headers.authorization = `Bearer ${token}`;
  for (const line of linesOf(headers['x-sent'])) note(line);
  await next();
  if (ctx.status < 300) for (const line of linesOf(headers['x-acknowledged'])) note(line);
});
let token = '';
const storage = container.get(serviceId('storage'));
const { journal } = storage;
container.get(serviceId('app')).middleware.unshift(async (ctx, next) => {
  if (ctx.path === '/harness/journal') ctx.body = await readJournal(journal, Number(ctx.query.after));
  else if (ctx.path === '/harness/people') {
    const { persons, timelines } = await readPeople(storage.people);
    ctx.body = { persons: [...persons], timelines: [...timelines] };
  } else await next();
});
if (FAULT === 'early') {
  const names = storage.mapping;
  const put = names.put.bind(names);
  names.put = async (...association) => {
    setTimeout(() => void put(...association), 100);
    return 'created';
  };
}
/** Faults that acknowledge something and do not write it. */
const forget = {
  // Only voids are forgotten: a later correction of a forgotten addition would be refused.
  'forget-corrections': () => {
    const corrections = storage.corrections;
    const correct = corrections.correct.bind(corrections);
    let number = 1_000_000;
    corrections.correct = async (all) =>
      all.some(({ action }) => action === 'add')
        ? correct(all)
        : all.map((each) => ({ ...each, number: number++ }));
  },
  'forget-erasures': () => {
    storage.erasures.erase = async ({ ids }) => ids.map((_, n) => String(n).padStart(32, '0'));
  },
  // The user who signs in is not forgotten, nor, below, revoked tokens: later requests about them would be refused.
  'forget-users': () =>
    changeAccess((changes) => ({
      ...changes,
      putUsers: changes.putUsers?.filter(({ name }) => name !== 'mover'),
    })),
  'forget-credentials': () =>
    changeAccess((changes) => ({
      ...changes,
      putCredentials: changes.putCredentials?.filter(
        ({ kind, role }) => kind === 'token' && role !== 'viewer',
      ),
    })),
  'forget-revocations': () => changeAccess((changes) => ({ ...changes, removeCredentials: [] })),
  'forget-removals': () => {
    storage.days.remove = async () => true;
  },
  // Whoever holds a tag keeps it. A loss is not forgotten: a later one would be refused.
  'forget-holders': () =>
    changePeople((rows) => {
      const isHandedOn = [...rows.timelines.values()].some((timeline) => {
        const [before, last] = timeline?.entries.filter(({ isUndone }) => !isUndone).slice(-2) ?? [];
        return before?.holder !== undefined && last?.holder !== undefined;
      });
      return isHandedOn ? undefined : rows;
    }),
  'forget-names-of-tags': () => changePeople((rows) => ({ ...rows, names: new Map() })),
  'forget-groups': () => changePersons((person) => ({ ...person, memberships: [] })),
  // Whoever left a group is in it again.
  'keep-former-groups': () =>
    changePersons((person) => ({
      ...person,
      memberships: (person.memberships ?? []).map(({ group, since, stamp }) => ({ group, since, stamp })),
    })),
  'erase-namesakes': () => {
    const { erasures, people } = storage;
    const erase = erasures.erase.bind(erasures);
    erasures.erase = async (request) => {
      const all = await people.persons(undefined, 1_000);
      const textOf = (id) => JSON.stringify(all.find((person) => person.id === id)?.name?.value);
      const texts = new Set((request.persons ?? []).map(textOf));
      const persons = all.flatMap(({ id }) => (texts.has(textOf(id)) ? [id] : []));
      return erase({ ...request, persons });
    };
  },
  // A tag stays its holder's after it was lost, for whoever looks at the record.
  'count-lost-tags': () => {
    const take = storage.snapshots.take.bind(storage.snapshots);
    storage.snapshots.take = async () => {
      const snapshot = await take();
      const timelines = snapshot.timelines.bind(snapshot);
      snapshot.timelines = async function* () {
        for await (const { tag, entries } of timelines())
          yield { tag, entries: entries.filter(({ why }) => why !== 'lost') };
      };
      return snapshot;
    };
  },
};
forget[FAULT]?.();
for (const { readings } of sources) readings.subscribe(({ id }) => note(`tapped ${id}`));
container.get(serviceId('tallybook')).attendance.events.subscribe(({ kind, scan, filed }) => {
  if (kind === 'attendance') {
    note(`${filed === undefined ? 'attended' : 'filed'} ${scan.id} ${scan.day} ${scan.at}`);
  } else if (kind === 'provisional') {
    const at = scan.at + LAG_SECONDS;
    note(`held ${scan.id} ${calendar.dayOf(at)} ${at} ${scan.at}`);
    doubted--;
  }
});
// The process that started this one has ended.
streams[2].on('close', () => process.exit(1));
const server = container.get(serviceId('server'));
if (FAULT === 'journal-back') await forgetEntries();
note('opening');
await server.open();
token = await makeToken();
// The follower begins at the first change, even if changes come before it opens.
if ((await journal.position(FOLLOWER)) === undefined) await journal.advance(FOLLOWER, 0);
const follower = new JournalConsumer({
  journal,
  clock,
  name: FOLLOWER,
  handle: async (entries) => {
    for (const { cursor, change } of entries) note(`told ${cursor} ${JSON.stringify(change)}`);
    return entries.at(-1).cursor;
  },
  onReset: async (reason) => note(`reset ${reason}`),
  onFault: (error) => console.error(error),
});
await follower.open();
container.get(serviceId('log')).info(`listening on ${server.url}`);

/** The fault begins with the first request: by then the service has the users and tokens that it needs itself. */
function changeAccess(bend) {
  const access = storage.access;
  const change = access.change.bind(access);
  access.change = (changes, expected) => change(token === '' ? changes : bend(changes), expected);
}

/** @param bend Gives the row of a person that is written. */
function changePersons(bend) {
  changePeople((rows) => ({
    ...rows,
    persons: new Map([...rows.persons].map(([id, row]) => [id, row && bend(row)])),
  }));
}

/** @param bend Gives the rows that are written; none if the write is forgotten. */
function changePeople(bend) {
  const { people } = storage;
  const write = people.write.bind(people);
  people.write = async (rows, seen) => {
    const bent = bend(rows);
    return bent === undefined || write(bent, seen);
  };
}

async function makeToken() {
  const access = container.get(serviceId('tallybook')).access;
  if (!access.users.list().some(({ name }) => name === 'root'))
    await access.users.put(owner, { name: 'root', role: 'admin' });
  for (const { id, label } of access.credentials.list(owner, { all: true }))
    if (label === 'harness') await access.credentials.revoke(owner, id);
  return (await access.credentials.createToken(owner, { label: 'harness', role: 'admin' })).token;
}

function linesOf(header = '') {
  return header === '' ? [] : header.split('; ');
}

async function forgetEntries() {
  if (!existsSync(join(store, 'CURRENT'))) return;
  const level = new Level(store, { keyEncoding: 'buffer', ...PLAIN_TABLES });
  const range = {
    gte: Buffer.of(...CHANGE),
    lt: Buffer.of(CHANGE[0], CHANGE[1] + 1),
    reverse: true,
    limit: FORGOTTEN_ENTRIES,
  };
  const keys = await level.keys(range).all();
  if (keys.length === 0) throw new Error('the store has no journal where this looks for it');
  await level.batch(
    keys.map((key) => ({ type: 'del', key })),
    { sync: true },
  );
  await level.close();
}

function isChangeKey(key) {
  return key[0] === CHANGE[0] && key[1] === CHANGE[1];
}

/** Puts the faults between the store and LevelDB, so that the program under test needs no switch for them. */
function bendLevel() {
  const { _open, _chainedBatch } = Level.prototype;
  if (TABLE_BYTES !== undefined) {
    Level.prototype._open = function (options) {
      return _open.call(this, { ...options, writeBufferSize: Number(TABLE_BYTES) });
    };
  }
  if (FAULT === 'no-sync') {
    Level.prototype._chainedBatch = function () {
      const batch = _chainedBatch.call(this);
      const write = batch._write.bind(batch);
      return Object.assign(batch, { _write: (options) => write({ ...options, sync: false }) });
    };
  }
  if (FAULT === 'journal-apart' || FAULT === 'journal-unsynced') {
    Level.prototype._chainedBatch = function () {
      const batch = _chainedBatch.call(this);
      const later = _chainedBatch.call(this);
      const [put, write] = [batch._put.bind(batch), batch._write.bind(batch)];
      return Object.assign(batch, {
        _put: (key, ...rest) => (isChangeKey(key) ? later._put(key, ...rest) : put(key, ...rest)),
        _write: async (options) => {
          await write(options);
          await later._write({ ...options, sync: FAULT === 'journal-apart' });
          await later._close();
        },
      });
    };
  }
}
