import { setImmediate as endOfTurn } from 'node:timers/promises';
import {
  parseTallyId,
  TallybookError,
  toDay,
  toTimestamp,
  type Change,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import {
  ERASURE_KEYS_MAX,
  type Erasure,
  type ErasureRequest,
  type KeptErasure,
  type Trace,
} from '@tallybook/domain/record';
import { MemoryErasures, MemoryErasureStore, type MemoryErasureParts } from '@tallybook/testing';
import { ErasureWorld } from './erasure-world.js';
import { faults, inWorld, plant, type Methods, type Sabotage } from '../sabotage.js';

type Parts = Required<MemoryErasureParts>;

/** An erasure store whose sabotage can access its stores and what they hold. */
class Sabotaged extends MemoryErasureStore {
  readonly parts: Parts;
  readonly world: ErasureWorld;
  readonly erased: MemoryErasures;

  constructor(parts: Parts, world: ErasureWorld) {
    super(parts, world.erased);
    this.parts = parts;
    this.world = world;
    this.erased = world.erased;
  }
}

const done = (erasure: Erasure): KeptErasure => ({ ...erasure, state: 'done' });

/** Finds other traces. */
const tracing = (
  change: (traces: readonly Trace[], id: TallyId) => readonly Trace[],
): Methods<Sabotaged> => ({
  trace: (sound) =>
    async function* (id) {
      const traces: Trace[] = [];
      for await (const trace of sound(id)) traces.push(trace);
      yield* change(traces, id);
    },
});

/** Gives erasures an earlier end in another way. */
const shortening = (shorten: (erased: MemoryErasures, erasure: Erasure) => void): Methods<Sabotaged> => ({
  shorten: (sound, fake) => (erasures) => {
    for (const erasure of erasures) shorten(fake.erased, erasure);
    return sound([]);
  },
});

/** Writes rows of persons again that an erasure removed. */
const leaving = (
  method: 'erase' | 'add',
  ...kinds: readonly ('persons' | 'timelines' | 'carried')[]
): Methods<Sabotaged> => ({
  [method]:
    (sound: (...args: readonly unknown[]) => Promise<unknown>, fake: Sabotaged) =>
    async (...args: readonly unknown[]) => {
      const before = kinds.map((kind) => [fake.world.people[kind], [...fake.world.people[kind]]] as const);
      const outcome = await sound(...args);
      for (const [rows, all] of before)
        for (const [key, row] of all) (rows as Map<string, unknown>).set(key, row);
      return outcome;
    },
});

/** Does more after an erasure. */
const afterErasing = (
  more: (fake: Pick<Sabotaged, 'parts' | 'world'>, request: ErasureRequest) => void,
): Methods<Sabotaged> => ({
  erase: (sound, fake) => async (request) => {
    const digests = await sound(request);
    more(fake, request);
    return digests;
  },
});

/** Does more after erasures were taken over. */
const afterTaking = (more: (fake: Pick<Sabotaged, 'parts' | 'world'>) => void): Methods<Sabotaged> => ({
  add: (sound, fake) => async (erasures, now) => {
    await sound(erasures, now);
    more(fake);
  },
});

const isWithin = ({ from, until }: Erasure, at: Timestamp): boolean => from <= at && at <= until;

/** Refuses other data. */
const refusing = (
  decide: (at: Timestamp | undefined, erasures: readonly Erasure[]) => boolean,
): Methods<Sabotaged> => ({
  isRefused: (sound, fake) => (id, at) => {
    const all = fake.of(id);
    return all.length === 0 ? sound(id, at) : decide(at, all);
  },
});

const titles = {
  all: 'traces everything that is kept of a tag, in its order',
  nothing: 'traces nothing of an unknown tag',
  trace: 'leaves no trace of an erased tag',
  corrections: 'leaves no correction of an erased tag, and those of others',
  lateCorrections: 'erases corrections up to the erasure of a backup, and no later ones',
  correctionsAlone: 'takes over an erasure of a tag of which there are only corrections',
  journal: 'leaves no trace of an erased tag in the journal',
  others: 'leaves other tags as they were',
  day: 'removes the record of a day that is left without entries',
  revisions: 'changes the revisions of what was erased from',
  told: 'reports each erased tag once in the journal, by its digest',
  cursor: 'gives no cursor twice, when the latest changes were erased',
  refuses: 'refuses an erased tag from the call on, and no other',
  refusesTaken: 'refuses the tag of an erasure of a backup from the call on, and no other',
  written: 'leaves nothing of a tag that was being written when it was erased',
  writtenBackup: 'leaves nothing of a tag that was being written when the erasure of a backup was taken over',
  digests: 'keeps digests that do not say which tag it was',
  again: 'erases a tag of which nothing is kept, and one that was erased before',
  later: 'takes what comes of the tag later',
  restart: 'still refuses after a restart',
  taken: 'takes over the erasures of a backup, and erases their data',
  lateChanges: 'keeps the changes of the corrections that an erasure of a backup leaves, and no others',
  part: 'keeps what is later than an erasure of a backup, but not later than now',
  several: 'refuses what any of several erasures of a tag refuses',
  laterEnd: 'keeps the later end of an erasure that comes again',
  sooner: 'lets an erasure end sooner, and then refuses nothing later',
  soonerScrubbed: 'lets an erasure end sooner while it is scrubbed',
  soonerMissing: 'does not keep an erasure that is to end sooner and is not there',
  expired: 'forgets an erasure when its time is over, and not before',
  scrubbed: 'has nothing left after it was scrubbed, and says so',
  closed: 'rejects with NOT_OPEN when it is closed',
  varied: 'leaves nothing of a tag, whichever rows it has',
  variedBackup: 'leaves nothing of a tag after the erasure of a backup, whichever rows it has',
  interrupted: 'takes over an erasure when it is called again, whichever write failed',
  oneKey: 'erases tags together under one key, and further tags under it too',
  keys: 'takes none of several erasures if they have too many keys',
  knownKeys: 'takes more erasures under the keys that it has',
  keysTogether: 'takes no more keys from simultaneous callers than it has room for',
  ownKey: 'makes erasures itself, whatever keys it has',
  keptKey: 'keeps its key when all erasures are forgotten, and after a restart',
  adopts: 'takes another key as long as it has no erasures, and keeps it',
  otherKey: 'takes a digest under another key for another erasure',
  keysAgain: 'has room for other keys when the erasures of some are forgotten',
  reopened: 'goes on at the next opening, whichever write failed',
  held: 'erases the time of a holder, and leaves the time of the next one',
  heldRefused: 'refuses the time of a holder, and nothing of an unknown time, if another one followed',
  heldOpen: 'erases what the present holder did, and what has no time, and leaves the time before',
  person: 'erases the rows of a person, and what was recorded for them without a tag',
  personTaken: 'takes over the erasure of a person, and erases their rows',
  carried: 'erases the carried rows of a person and of a tag, and no others',
  carriedTaken: 'takes over the erasure of a person, and erases the carried rows about them',
  personLater: 'keeps a person with a later name, and the change that tells of them',
  personReopened: 'goes on with the erasure of a person at the next opening, whichever write failed',
} as const;

const at = (seconds: number): Timestamp => toTimestamp(1_763_500_000 + seconds);

const noRoom = (): TallybookError => new TallybookError('TOO_MANY_ERASURE_KEYS', 'no room');

/** Faults of the erasure store itself. */
const inStore = faults(Sabotaged, {
  'does not trace provisional scans': {
    fails: [titles.all],
    ...tracing((traces) => traces.filter(({ kind }) => kind !== 'provisional')),
  },
  'traces days for tags that have none': {
    fails: [
      ...[titles.nothing, titles.trace, titles.varied, titles.written],
      ...[titles.variedBackup, titles.writtenBackup, titles.taken, titles.interrupted, titles.reopened],
    ],
    ...tracing((traces, id) => {
      const entry = { id, first: at(0), last: at(0), count: 1 };
      return traces.length > 0 ? traces : [{ kind: 'entry', day: toDay(1), entry, scans: [] }];
    }),
  },
  'leaves the name': {
    fails: [titles.trace, titles.journal, titles.told, titles.written, titles.later],
    erase: (sound, fake) => async (request) => {
      const [id] = request.ids;
      const name = id && fake.parts.mapping.nameOf(id);
      const digests = await sound(request);
      if (id !== undefined && name !== undefined) await fake.parts.mapping.put(id, name);
      return digests;
    },
  },
  'leaves the changes of the journal': {
    fails: [titles.trace, titles.varied, titles.journal, titles.told, titles.written, titles.later],
    erase: (sound, fake) => async (request) => {
      const entries = fake.parts.journal.entriesOf(
        (change) => 'id' in change && request.ids.includes(change.id),
      );
      const digests = await sound(request);
      fake.parts.journal.append(...entries.map(({ change }): Change => change));
      return digests;
    },
  },
  'erases what others did on the same days': {
    fails: [titles.trace, titles.others, titles.day, titles.scrubbed],
    ...afterErasing(({ parts: { days, mapping } }, { ids }) => {
      for (const id of days.tags()) if (!ids.includes(id) && mapping.nameOf(id)) days.erase(id, () => true);
    }),
  },
  'leaves an empty day': {
    fails: [titles.day],
    erase: (sound, fake) => async (request) => {
      const before = [...fake.world.contents.keys()];
      const digests = await sound(request);
      for (const day of before) if (!fake.world.contents.has(day)) fake.world.contents.set(day, new Map());
      return digests;
    },
  },
  'erases without the stores': {
    fails: [titles.revisions],
    erase: (sound, fake) => async (request) => {
      for (const id of request.ids) {
        fake.world.names.delete(id);
        for (const [day, record] of fake.world.contents) {
          record.delete(id);
          if (record.size === 0) fake.world.contents.delete(day);
        }
      }
      return sound(request);
    },
  },
  'tells the journal nothing': {
    fails: [titles.told],
    ...afterErasing(({ parts }) => parts.journal.forget(({ kind }) => kind === 'erased')),
  },
  'gives cursors of erased changes again': {
    fails: [titles.cursor],
    erase: (sound, fake) => async (request) => {
      const before = fake.world.changes.latest;
      const digests = await sound(request);
      if (before === 1) fake.world.changes.latest = 0;
      return digests;
    },
  },
  'refuses every tag as soon as one is erased': {
    fails: [titles.refuses, titles.refusesTaken, titles.several],
    isRefused: (_, fake) => (_, at) =>
      fake.of(parseTallyId('04A2B3C4D5')).some(({ until }) => at === undefined || at <= until),
  },
  'refuses what the first of several erasures of a tag refuses': {
    fails: [titles.several],
    ...refusing((at, [first]) => first !== undefined && (at === undefined || isWithin(first, at))),
  },
  'refuses everything up to the end of an erasure': {
    fails: [titles.several],
    ...refusing((at, all) => all.some(({ until }) => at === undefined || at <= until)),
  },
  'refuses nothing without a time': {
    fails: [titles.refuses, titles.several],
    ...refusing((at, all) => at !== undefined && all.some((each) => isWithin(each, at))),
  },
  'refuses when all is erased, and not before': {
    fails: [titles.refuses],
    erase: (sound) => async (request) => {
      await Promise.resolve();
      return sound(request);
    },
  },
  'refuses what an erasure of a backup is of when all is erased, and not before': {
    fails: [titles.refusesTaken],
    add: (sound) => async (erasures, now) => {
      await Promise.resolve();
      return sound(erasures, now);
    },
  },
  'keeps the ids': class extends Sabotaged {
    static readonly fails = [titles.digests, titles.restart];
    #ids: readonly TallyId[] = [];

    override erase(request: ErasureRequest): Promise<readonly string[]> {
      this.#ids = request.ids;
      return super.erase(request);
    }

    override async list(): Promise<readonly KeptErasure[]> {
      return (await super.list()).map((erasure) => ({ ...erasure, ids: this.#ids }));
    }
  },
  'erases a tag once only': {
    fails: [titles.again],
    erase: (sound, fake) => async (request) => {
      const [id] = request.ids;
      if (id !== undefined && fake.isRefused(id, undefined)) return (await fake.list()).map((e) => e.digest);
      return sound(request);
    },
  },
  'erases what comes later too': {
    fails: [titles.later, titles.part],
    ...afterErasing(({ parts: { days } }, { ids, until }) =>
      plant(days, {
        record: (record) => async (day, id, time, source) => {
          const outcome = await record(day, id, time, source);
          if (ids.includes(id) && time > until) days.erase(id, () => true);
          return outcome;
        },
      }),
    ),
  },
  'takes over erasures, and the journal tells of no correction of their tags any more': {
    fails: [titles.lateChanges],
    ...afterTaking(({ parts }) => parts.journal.forget(({ kind }) => kind === 'correction')),
  },
  'takes over erasures, and erases nothing': {
    fails: [
      ...[titles.variedBackup, titles.lateCorrections, titles.lateChanges, titles.correctionsAlone],
      ...[titles.writtenBackup, titles.taken, titles.part, titles.keys, titles.keysTogether],
      ...[titles.several, titles.laterEnd],
      ...[titles.interrupted, titles.reopened],
    ],
    add: (_, fake) => async (erasures) => {
      for (const erasure of erasures) fake.erased.put(done(erasure));
      await Promise.resolve();
    },
  },
  'takes over erasures, and forgets the flags of what is left': {
    fails: [titles.part],
    ...afterTaking(({ world }) => {
      for (const tags of world.contents.values())
        for (const { scans } of tags.values()) for (const at of scans.keys()) scans.set(at, 0);
    }),
  },
  'erases everything for an erasure of a backup': {
    fails: [titles.lateCorrections, titles.lateChanges, titles.part, titles.several],
    add: (sound) => (erasures) => sound(erasures, toTimestamp(0)),
  },
  'lets no erasure end sooner': {
    fails: [titles.several, titles.sooner, titles.soonerScrubbed],
    ...shortening(() => undefined),
  },
  'lets an erasure end as it is told, also if that is later': {
    fails: [titles.sooner],
    ...shortening((erased, erasure) => {
      if (erased.get(erasure) !== undefined) erased.put(done(erasure));
    }),
  },
  'lets an erasure of another key end sooner': {
    fails: [titles.sooner],
    ...shortening((erased, { digest, until, expiresAt }) => {
      for (const known of erased.all)
        if (known.digest === digest && known.until > until) erased.put({ ...known, until, expiresAt });
    }),
  },
  'keeps an erasure that is to end sooner and is not there': {
    fails: [titles.sooner, titles.soonerMissing],
    ...shortening((erased, erasure) => {
      const known = erased.get(erasure);
      if (known === undefined || known.until > erasure.until) erased.put(done(erasure));
    }),
  },
  'erases a tag as a whole for a holder of it': {
    fails: [titles.held, titles.heldOpen, titles.person],
    ...afterErasing(({ parts }, { holdings = [] }) => {
      for (const { id } of holdings) parts.days.erase(id, () => true);
    }),
  },
  'takes the time of a holder for that of the present one': {
    fails: [titles.held, titles.heldRefused],
    erase: (sound) => (request) =>
      sound({
        ...request,
        ...(request.holdings && {
          holdings: request.holdings.map(({ id, from, until }) => ({ id, from, until })),
        }),
      }),
  },
  'takes the time of the present holder for that of a former one': {
    fails: [titles.heldOpen],
    erase: (sound) => (request) =>
      sound({
        ...request,
        ...(request.holdings && { holdings: request.holdings.map((each) => ({ ...each, isClosed: true })) }),
      }),
  },
  'leaves the rows of persons': {
    fails: [titles.person],
    ...leaving('erase', 'persons', 'timelines'),
  },
  'takes over the erasure of a person, and leaves their rows': {
    fails: [titles.personTaken, titles.personLater, titles.personReopened],
    ...leaving('add', 'persons'),
  },
  'leaves carried rows': {
    fails: [titles.carried],
    ...leaving('erase', 'carried'),
  },
  'erases every carried row': {
    fails: [titles.carried],
    ...afterErasing(({ world }) => world.people.carried.clear()),
  },
  'takes over the erasure of a person, and leaves carried rows': {
    fails: [titles.carriedTaken],
    ...leaving('add', 'carried'),
  },
  'takes over the erasure of a person, and forgets that they are there': {
    fails: [titles.personLater],
    ...afterTaking(({ parts }) => parts.journal.forget(({ kind }) => kind === 'person')),
  },
  'forgets a second too early': {
    fails: [titles.expired],
    expire: (sound) => (now) => sound(toTimestamp(now + 1)),
  },
  'writes what it found when it began to scrub': {
    fails: [titles.soonerScrubbed],
    scrub: (sound, fake) => async () => {
      const found = fake.erased.all;
      const isDone = await sound();
      for (const erasure of found) fake.erased.put(done(erasure));
      return isDone;
    },
  },
  'never says that nothing is left': {
    fails: [titles.scrubbed],
    scrub: () => () => Promise.resolve(false),
  },
  'has a key for each of several tags that are erased together': {
    fails: [titles.oneKey, titles.variedBackup, titles.otherKey, titles.sooner],
    list: (sound) => async () =>
      (await sound()).map((erasure, n) => (n === 0 ? erasure : { ...erasure, key: `${n}`.repeat(32) })),
  },
  'has room for one key more': {
    fails: [titles.keys, titles.keysTogether],
    add: (sound, fake) => async (erasures, now) => {
      if (fake.erased.keys.size !== ERASURE_KEYS_MAX) return sound(erasures, now);
      const { keys } = fake.erased;
      for (const each of erasures) if (!keys.has(each.key)) fake.erased.put(done(each));
      return sound(
        erasures.filter(({ key }) => keys.has(key)),
        now,
      );
    },
  },
  'takes those of several erasures that it has room for': {
    fails: [titles.keys],
    add: (sound, fake) => async (erasures, now) => {
      const { keys } = fake.erased;
      if (keys.size === ERASURE_KEYS_MAX)
        await sound(
          erasures.filter(({ key }) => keys.has(key)),
          now,
        );
      return sound(erasures, now);
    },
  },
  'counts keys before it waits': {
    fails: [titles.keys, titles.keysTogether],
    add: (sound, { erased }) => {
      let before = 0;
      return (erasures, now) => {
        // Several calls in one turn count the same keys.
        if (before === 0) void endOfTurn().then(() => (before = 0));
        before ||= erased.keys.size;
        if (erased.keys.size < ERASURE_KEYS_MAX || before >= ERASURE_KEYS_MAX) return sound(erasures, now);
        for (const each of erasures) erased.put(done(each));
        return Promise.resolve();
      };
    },
  },
  'takes none when it has as many keys as it can have': {
    fails: [titles.knownKeys],
    add: (sound, fake) => (erasures, now) =>
      fake.erased.keys.size === ERASURE_KEYS_MAX ? Promise.reject(noRoom()) : sound(erasures, now),
  },
  'counts keys that it has forgotten': {
    fails: [titles.keysAgain],
    add: (sound, { erased }) => {
      const seen = new Set<string>([erased.key]);
      return async (erasures, now) => {
        for (const { key } of erasures) seen.add(key);
        if (seen.size > ERASURE_KEYS_MAX) throw noRoom();
        return sound(erasures, now);
      };
    },
  },
  'erases nobody when it has the keys of many sites': {
    fails: [titles.ownKey],
    erase: (sound, fake) => (request) =>
      fake.erased.keys.size === ERASURE_KEYS_MAX ? Promise.reject(noRoom()) : sound(request),
  },
  'takes a digest under another key for its erasure': {
    fails: [titles.otherKey, titles.laterEnd],
    add: (sound, fake) => (erasures, now) => {
      for (const { digest, ...each } of erasures)
        for (const known of fake.erased.all)
          if (known.digest === digest) fake.erased.put({ ...known, until: each.until });
      return sound(erasures, now);
    },
  },
  'takes the first of several erasures with one digest': {
    fails: [titles.otherKey, titles.several],
    add: (sound) => (erasures, now) =>
      sound([...new Map([...erasures].reverse().map((erasure) => [erasure.digest, erasure])).values()], now),
  },
  'lets an erasure that comes again end sooner': {
    fails: [titles.laterEnd],
    add: (sound, fake) => (erasures, now) => {
      for (const each of erasures) if (fake.erased.get(each) !== undefined) fake.erased.put(done(each));
      return sound(erasures, now);
    },
  },
  'takes another key at any time': {
    fails: [titles.adopts],
    adoptKey: (sound, fake) => (key) => {
      fake.erased.key = key;
      return sound(key);
    },
  },
  'takes no other key': { fails: [titles.adopts], adoptKey: () => () => Promise.resolve() },
  'works when it is closed': {
    fails: [titles.closed],
    list: (sound, fake) => async () => (fake.status === 'open' ? sound() : []),
  },
});

/** Faults that are planted in the stores, or when the erasure store is made. */
const inParts = faults(ErasureWorld, {
  'leaves the corrections': {
    fails: [
      ...[titles.trace, titles.corrections, titles.revisions, titles.written, titles.later],
      ...[titles.lateCorrections, titles.lateChanges, titles.correctionsAlone, titles.writtenBackup],
      ...[titles.taken, titles.interrupted, titles.reopened],
    ],
    erasures: (sound) => (parts) => {
      plant(parts.corrections, {
        erase: (erase) => (correction) => {
          if (correction.id !== parseTallyId('04A2B3C4D5')) erase(correction);
        },
      });
      return sound(parts);
    },
  },
  'erases before a scan that was under way is recorded': {
    fails: [titles.written, titles.writtenBackup],
    erasures: (sound) => (parts) => {
      plant(parts.days, {
        record:
          (record) =>
          async (...scan) => {
            await endOfTurn();
            return record(...scan);
          },
      });
      return sound(parts);
    },
  },
  'forgets with a restart': {
    fails: [
      ...[titles.keptKey, titles.adopts, titles.keys, titles.otherKey],
      ...[titles.restart, titles.several, titles.sooner, titles.soonerScrubbed],
    ],
    erasures: () => (parts) => new MemoryErasureStore(parts),
  },
  'takes an erasure that was interrupted for one that is done': {
    fails: [titles.interrupted, titles.reopened],
    interrupt: (sound, fake) => (erasures) => {
      for (const erasure of erasures) fake.erased.put(done(erasure));
      return sound(erasures);
    },
  },
  'leaves the stamp of a name that was taken away': {
    fails: [titles.varied, titles.variedBackup],
    erasures: (sound) => (parts) => {
      const { mapping } = parts;
      const erase = mapping.erase.bind(mapping);
      mapping.erase = (id) => {
        if (mapping.nameOf(id) !== undefined) erase(id);
      };
      return sound(parts);
    },
  },
  'leaves a name that was given elsewhere': {
    fails: [titles.varied, titles.written, titles.variedBackup, titles.writtenBackup],
    erasures: (sound) => (parts) => {
      const { mapping } = parts;
      const erase = mapping.erase.bind(mapping);
      mapping.erase = (id) => {
        if (mapping.nameOf(id) === undefined || mapping.stampOf(id)?.stamp?.node !== 'hall') erase(id);
      };
      return sound(parts);
    },
  },
  'makes another key at each start': {
    fails: [titles.keptKey, titles.adopts],
    erasures: (sound, fake) => (parts) => {
      if (fake.erased.isEmpty) fake.erased.key = new MemoryErasures().key;
      return sound(parts);
    },
  },
});

export const erasureStoreSabotages: readonly Sabotage<typeof ErasureWorld>[] = [
  ...inWorld(ErasureWorld, inStore, (Fake) => ({
    erasures: (_, world) => (parts) => new Fake(parts, world),
  })),
  ...inParts,
];
