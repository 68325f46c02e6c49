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
import { faults } from '../sabotage.js';

type Parts = Required<MemoryErasureParts>;

/** A world with another erasure store. */
function world(make: (parts: Parts, erased: MemoryErasures) => MemoryErasureStore): typeof ErasureWorld {
  return class extends ErasureWorld {
    override erasures(parts: Parts): MemoryErasureStore {
      return make(parts, this.erased);
    }
  };
}

/** A world whose erasure store does more, or something else, when it erases. */
function erasing(
  work: (
    store: MemoryErasureStore,
    parts: Parts,
    request: ErasureRequest,
    erase: (request: ErasureRequest) => Promise<readonly string[]>,
  ) => Promise<readonly string[]>,
): typeof ErasureWorld {
  return world(
    (parts, erased) =>
      new (class extends MemoryErasureStore {
        override erase(request: ErasureRequest): Promise<readonly string[]> {
          return work(this, parts, request, (other) => super.erase(other));
        }
      })(parts, erased),
  );
}

/** A world whose erasure store takes over other erasures. */
function adding(
  work: (
    erased: MemoryErasures,
    erasures: readonly Erasure[],
    add: (erasures: readonly Erasure[]) => Promise<void>,
  ) => Promise<void>,
): typeof ErasureWorld {
  return world(
    (parts, erased) =>
      new (class extends MemoryErasureStore {
        override add(erasures: readonly Erasure[], now: Timestamp): Promise<void> {
          return work(erased, erasures, (others) => super.add(others, now));
        }
      })(parts, erased),
  );
}

const done = (erasure: Erasure): KeptErasure => ({ ...erasure, state: 'done' });

/** A world whose erasure store finds other traces. */
function tracing(change: (traces: readonly Trace[], id: TallyId) => readonly Trace[]): typeof ErasureWorld {
  return world(
    (parts, erased) =>
      new (class extends MemoryErasureStore {
        override async *trace(id: TallyId): AsyncGenerator<Trace, void, undefined> {
          const traces: Trace[] = [];
          for await (const trace of super.trace(id)) traces.push(trace);
          yield* change(traces, id);
        }
      })(parts, erased),
  );
}

/** A world whose erasure store gives erasures an earlier end in another way. */
function shortening(shorten: (erased: MemoryErasures, erasure: Erasure) => void): typeof ErasureWorld {
  return world(
    (parts, erased) =>
      new (class extends MemoryErasureStore {
        override shorten(erasures: readonly Erasure[]): Promise<void> {
          for (const erasure of erasures) shorten(erased, erasure);
          return super.shorten([]);
        }
      })(parts, erased),
  );
}

const isWithin = ({ from, until }: Erasure, at: Timestamp): boolean => from <= at && at <= until;

/** A world whose erasure store refuses other data. */
function refusing(
  decide: (at: Timestamp | undefined, erasures: readonly Erasure[]) => boolean,
): typeof ErasureWorld {
  return world(
    (parts, erased) =>
      new (class extends MemoryErasureStore {
        override isRefused(id: TallyId, at: Timestamp | undefined): boolean {
          const all = this.of(id);
          return all.length === 0 ? super.isRefused(id, at) : decide(at, all);
        }
      })(parts, erased),
  );
}

const titles = {
  all: 'traces everything that is kept of a tag, in its order',
  nothing: 'traces nothing of a tag that nobody has seen',
  trace: 'leaves no trace of an erased tag',
  corrections: 'leaves no correction of an erased tag, and those of others',
  lateCorrections: 'erases for a backup the corrections of scans up to the erasure, and no later ones',
  correctionsAlone: 'takes over an erasure of a tag of which there are only corrections',
  journal: 'leaves no trace of an erased tag in the journal',
  others: 'leaves other tags as they were',
  day: 'has no record of a day without entries any more',
  revisions: 'changes the revisions of what was erased from',
  told: 'tells the journal of each tag once, by its digest',
  cursor: 'gives no cursor twice, when the latest changes were erased',
  refuses: 'refuses an erased tag from the call on, and no other',
  refusesTaken: 'refuses the tag of an erasure of a backup from the call on, and no other',
  written: 'leaves nothing of a tag that was being written when it was erased',
  writtenBackup: 'leaves nothing of a tag for a backup that was being written when that was taken over',
  digests: 'keeps digests that do not say which tag it was',
  again: 'erases a tag of which nothing is kept, and one that was erased before',
  later: 'takes what comes of the tag later',
  restart: 'still refuses after a restart',
  taken: 'takes over the erasures of a backup, and erases what they are of',
  lateChanges: 'keeps for a backup the changes of the corrections that stay, and no others',
  part: 'keeps what is later than an erasure of a backup, but not later than now',
  several: 'refuses what any of several erasures of a tag refuses',
  laterEnd: 'keeps the later end of an erasure that comes again',
  sooner: 'lets an erasure end sooner, and refuses nothing later any more',
  soonerScrubbed: 'lets an erasure end sooner while it is scrubbed',
  soonerMissing: 'does not keep an erasure that is to end sooner and is not there',
  expired: 'forgets an erasure when its time is over, and not before',
  scrubbed: 'has nothing left after it was scrubbed, and says so',
  closed: 'rejects with NOT_OPEN when it is closed',
  varied: 'leaves nothing of a tag, whichever rows there are of it',
  variedBackup: 'leaves nothing of a tag for a backup, whichever rows there are of it',
  interrupted: 'takes over an erasure when it is called again, whichever write failed',
  oneKey: 'erases tags together under one key, and further tags under it too',
  keys: 'takes none of several erasures if they have too many keys',
  knownKeys: 'takes more erasures under the keys that it has',
  keysTogether: 'takes no more keys of callers who come at the same time than it has room for',
  ownKey: 'makes erasures itself, whatever keys it has',
  keptKey: 'keeps its key when all erasures are forgotten, and after a restart',
  adopts: 'takes another key as long as it has no erasures, and keeps it',
  otherKey: 'takes a digest under another key for another erasure',
  keysAgain: 'has room for other keys when the erasures of some are forgotten',
  reopened: 'goes on at the next opening, whichever write failed',
} as const;

const at = (seconds: number): Timestamp => toTimestamp(1_763_500_000 + seconds);

export const erasureStoreSabotages = faults(ErasureWorld, {
  'does not trace provisional scans': {
    Fake: tracing((traces) => traces.filter(({ kind }) => kind !== 'provisional')),
    fails: [titles.all],
  },
  'traces days for tags that have none': {
    Fake: tracing((traces, id) => {
      const entry = { id, first: at(0), last: at(0), count: 1 };
      return traces.length > 0 ? traces : [{ kind: 'entry', day: toDay(1), entry, scans: [] }];
    }),
    fails: [
      ...[titles.nothing, titles.trace, titles.varied, titles.written],
      ...[titles.variedBackup, titles.writtenBackup, titles.taken, titles.interrupted, titles.reopened],
    ],
  },
  'leaves the name': {
    Fake: erasing(async (_, { mapping }, request, erase) => {
      const [id] = request.ids;
      const name = id && mapping.nameOf(id);
      const digests = await erase(request);
      if (id !== undefined && name !== undefined) await mapping.put(id, name);
      return digests;
    }),
    fails: [titles.trace, titles.journal, titles.told, titles.written, titles.later],
  },
  'leaves the changes of the journal': {
    Fake: erasing(async (_, { journal }, request, erase) => {
      const entries = journal.entriesOf((change) => 'id' in change && request.ids.includes(change.id));
      const digests = await erase(request);
      journal.append(...entries.map(({ change }): Change => change));
      return digests;
    }),
    fails: [titles.trace, titles.varied, titles.journal, titles.told, titles.written, titles.later],
  },
  'leaves the corrections': {
    Fake: world((parts, erased) => {
      const { corrections } = parts;
      const erase = corrections.erase.bind(corrections);
      corrections.erase = (correction) => {
        if (correction.id !== parseTallyId('04A2B3C4D5')) erase(correction);
      };
      return new MemoryErasureStore(parts, erased);
    }),
    fails: [
      ...[titles.trace, titles.corrections, titles.revisions, titles.written, titles.later],
      ...[titles.lateCorrections, titles.lateChanges, titles.correctionsAlone, titles.writtenBackup],
      ...[titles.taken, titles.interrupted, titles.reopened],
    ],
  },
  'erases what others did on the same days': {
    Fake: erasing(async (_, { days, mapping }, request, erase) => {
      const digests = await erase(request);
      for (const id of days.tags())
        if (!request.ids.includes(id) && mapping.nameOf(id)) days.erase(id, () => true);
      return digests;
    }),
    fails: [titles.trace, titles.others, titles.day, titles.scrubbed],
  },
  'leaves an empty day': {
    Fake: class extends ErasureWorld {
      override erasures(parts: Parts): MemoryErasureStore {
        const { contents, erased } = this;
        return new (class extends MemoryErasureStore {
          override async erase(request: ErasureRequest): Promise<readonly string[]> {
            const before = [...contents.keys()];
            const digests = await super.erase(request);
            for (const day of before) if (!contents.has(day)) contents.set(day, new Map());
            return digests;
          }
        })(parts, erased);
      }
    },
    fails: [titles.day],
  },
  'erases without the stores': {
    Fake: class extends ErasureWorld {
      override erasures(parts: Parts): MemoryErasureStore {
        const { contents, erased, names } = this;
        return new (class extends MemoryErasureStore {
          override async erase(request: ErasureRequest): Promise<readonly string[]> {
            for (const id of request.ids) {
              names.delete(id);
              for (const [day, record] of contents) {
                record.delete(id);
                if (record.size === 0) contents.delete(day);
              }
            }
            return super.erase(request);
          }
        })(parts, erased);
      }
    },
    fails: [titles.revisions],
  },
  'tells the journal nothing': {
    Fake: erasing(async (_, { journal }, request, erase) => {
      const digests = await erase(request);
      journal.forget(({ kind }) => kind === 'erased');
      return digests;
    }),
    fails: [titles.told],
  },
  'gives cursors of erased changes again': {
    Fake: class extends ErasureWorld {
      override erasures(parts: Parts): MemoryErasureStore {
        const { changes, erased } = this;
        return new (class extends MemoryErasureStore {
          override async erase(request: ErasureRequest): Promise<readonly string[]> {
            const before = changes.latest;
            const digests = await super.erase(request);
            if (before === 1) changes.latest = 0;
            return digests;
          }
        })(parts, erased);
      }
    },
    fails: [titles.cursor],
  },
  'refuses every tag as soon as one is erased': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override isRefused(_: TallyId, at: Timestamp | undefined): boolean {
            return this.of(parseTallyId('04A2B3C4D5')).some(({ until }) => at === undefined || at <= until);
          }
        })(parts, erased),
    ),
    fails: [titles.refuses, titles.refusesTaken, titles.several],
  },
  'refuses what the first of several erasures of a tag refuses': {
    Fake: refusing((at, [first]) => first !== undefined && (at === undefined || isWithin(first, at))),
    fails: [titles.several],
  },
  'refuses everything up to the end of an erasure': {
    Fake: refusing((at, all) => all.some(({ until }) => at === undefined || at <= until)),
    fails: [titles.several],
  },
  'refuses nothing without a time': {
    Fake: refusing((at, all) => at !== undefined && all.some((each) => isWithin(each, at))),
    fails: [titles.refuses, titles.several],
  },
  'refuses when all is erased, and not before': {
    Fake: erasing(async (_, __, request, erase) => {
      await Promise.resolve();
      return erase(request);
    }),
    fails: [titles.refuses],
  },
  'refuses what an erasure of a backup is of when all is erased, and not before': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async add(erasures: readonly Erasure[], now: Timestamp): Promise<void> {
            await Promise.resolve();
            return super.add(erasures, now);
          }
        })(parts, erased),
    ),
    fails: [titles.refusesTaken],
  },
  'erases before a scan that was under way is recorded': {
    Fake: world((parts, erased) => {
      const { days } = parts;
      const record = days.record.bind(days);
      days.record = async (...scan) => {
        await endOfTurn();
        return record(...scan);
      };
      return new MemoryErasureStore(parts, erased);
    }),
    fails: [titles.written, titles.writtenBackup],
  },
  'keeps the ids': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          #ids: readonly TallyId[] = [];
          override erase(request: ErasureRequest): Promise<readonly string[]> {
            this.#ids = request.ids;
            return super.erase(request);
          }
          override async list(): Promise<readonly KeptErasure[]> {
            const all = await super.list();
            return all.map((erasure) => ({ ...erasure, ids: this.#ids }));
          }
        })(parts, erased),
    ),
    fails: [titles.digests, titles.restart],
  },
  'erases a tag once only': {
    Fake: erasing(async (store, _, request, erase) => {
      const [id] = request.ids;
      if (id !== undefined && store.isRefused(id, undefined))
        return (await store.list()).map((e) => e.digest);
      return erase(request);
    }),
    fails: [titles.again],
  },
  'erases what comes later too': {
    Fake: erasing(async (_, { days }, request, erase) => {
      const digests = await erase(request);
      const record = days.record.bind(days);
      days.record = async (day, id, time, source) => {
        const outcome = await record(day, id, time, source);
        if (request.ids.includes(id) && time > request.until) days.erase(id, () => true);
        return outcome;
      };
      return digests;
    }),
    fails: [titles.later, titles.part],
  },
  'forgets with a restart': {
    Fake: world((parts) => new MemoryErasureStore(parts)),
    fails: [
      ...[titles.keptKey, titles.adopts, titles.keys, titles.otherKey],
      ...[titles.restart, titles.several],
      titles.sooner,
      titles.soonerScrubbed,
    ],
  },
  'takes over erasures, and the journal tells of no correction of their tags any more': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async add(erasures: readonly Erasure[], now: Timestamp): Promise<void> {
            await super.add(erasures, now);
            parts.journal.forget(({ kind }) => kind === 'correction');
          }
        })(parts, erased),
    ),
    fails: [titles.lateChanges],
  },
  'takes over erasures, and erases nothing': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async add(erasures: readonly Erasure[]): Promise<void> {
            for (const erasure of erasures) erased.put(done(erasure));
            await Promise.resolve();
          }
        })(parts, erased),
    ),
    fails: [
      ...[titles.variedBackup, titles.lateCorrections, titles.lateChanges, titles.correctionsAlone],
      ...[titles.writtenBackup, titles.taken, titles.part, titles.keys, titles.keysTogether],
      ...[titles.several, titles.laterEnd],
      ...[titles.interrupted, titles.reopened],
    ],
  },
  'takes an erasure that was interrupted for one that is done': {
    Fake: class extends ErasureWorld {
      override interrupt(erasures: readonly Erasure[]): Promise<void> {
        for (const erasure of erasures) this.erased.put(done(erasure));
        return super.interrupt(erasures);
      }
    },
    fails: [titles.interrupted, titles.reopened],
  },
  'leaves the stamp of a name that was taken away': {
    Fake: world((parts, erased) => {
      const { mapping } = parts;
      const erase = mapping.erase.bind(mapping);
      mapping.erase = (id) => {
        if (mapping.nameOf(id) !== undefined) erase(id);
      };
      return new MemoryErasureStore(parts, erased);
    }),
    fails: [titles.varied, titles.variedBackup],
  },
  'leaves a name that was given elsewhere': {
    Fake: world((parts, erased) => {
      const { mapping } = parts;
      const erase = mapping.erase.bind(mapping);
      mapping.erase = (id) => {
        if (mapping.nameOf(id) === undefined || mapping.stampOf(id)?.stamp?.node !== 'hall') erase(id);
      };
      return new MemoryErasureStore(parts, erased);
    }),
    fails: [titles.varied, titles.written, titles.variedBackup, titles.writtenBackup],
  },
  'erases everything for an erasure of a backup': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override add(erasures: readonly Erasure[], _: Timestamp): Promise<void> {
            return super.add(erasures, toTimestamp(0));
          }
        })(parts, erased),
    ),
    fails: [titles.lateCorrections, titles.lateChanges, titles.part, titles.several],
  },
  'lets no erasure end sooner': {
    Fake: shortening(() => undefined),
    fails: [titles.several, titles.sooner, titles.soonerScrubbed],
  },
  'lets an erasure end as it is told, also if that is later': {
    Fake: shortening((erased, erasure) => {
      if (erased.get(erasure) !== undefined) erased.put(done(erasure));
    }),
    fails: [titles.sooner],
  },
  'lets an erasure of another key end sooner': {
    Fake: shortening((erased, { digest, until, expiresAt }) => {
      for (const known of erased.all)
        if (known.digest === digest && known.until > until) erased.put({ ...known, until, expiresAt });
    }),
    fails: [titles.sooner],
  },
  'keeps an erasure that is to end sooner and is not there': {
    Fake: shortening((erased, erasure) => {
      const known = erased.get(erasure);
      if (known === undefined || known.until > erasure.until) erased.put(done(erasure));
    }),
    fails: [titles.sooner, titles.soonerMissing],
  },
  'forgets a second too early': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override expire(now: Timestamp): Promise<number> {
            return super.expire(toTimestamp(now + 1));
          }
        })(parts, erased),
    ),
    fails: [titles.expired],
  },
  'writes what it found when it began to scrub': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async scrub(): Promise<boolean> {
            const found = erased.all;
            const isDone = await super.scrub();
            for (const erasure of found) erased.put(done(erasure));
            return isDone;
          }
        })(parts, erased),
    ),
    fails: [titles.soonerScrubbed],
  },
  'never says that nothing is left': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override scrub(): Promise<boolean> {
            return Promise.resolve(false);
          }
        })(parts, erased),
    ),
    fails: [titles.scrubbed],
  },
  'has a key for each of several tags that are erased together': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async list(): Promise<readonly KeptErasure[]> {
            const kept = await super.list();
            return kept.map((erasure, n) => (n === 0 ? erasure : { ...erasure, key: `${n}`.repeat(32) }));
          }
        })(parts, erased),
    ),
    fails: [titles.oneKey, titles.variedBackup, titles.otherKey, titles.sooner],
  },
  'has room for one key more': {
    Fake: adding(async (erased, erasures, add) => {
      if (erased.keys.size !== ERASURE_KEYS_MAX) return add(erasures);
      const { keys } = erased;
      for (const each of erasures) if (!keys.has(each.key)) erased.put(done(each));
      return add(erasures.filter(({ key }) => keys.has(key)));
    }),
    fails: [titles.keys, titles.keysTogether],
  },
  'takes those of several erasures that it has room for': {
    Fake: adding(async (erased, erasures, add) => {
      const { keys } = erased;
      if (keys.size === ERASURE_KEYS_MAX) await add(erasures.filter(({ key }) => keys.has(key)));
      return add(erasures);
    }),
    fails: [titles.keys],
  },
  'counts keys before it waits': {
    Fake: world((parts, erased) => {
      let before = 0;
      return new (class extends MemoryErasureStore {
        override add(erasures: readonly Erasure[], now: Timestamp): Promise<void> {
          // Several calls in one turn count the same keys.
          if (before === 0) void endOfTurn().then(() => (before = 0));
          before ||= erased.keys.size;
          if (erased.keys.size < ERASURE_KEYS_MAX || before >= ERASURE_KEYS_MAX)
            return super.add(erasures, now);
          for (const each of erasures) erased.put(done(each));
          return Promise.resolve();
        }
      })(parts, erased);
    }),
    fails: [titles.keys, titles.keysTogether],
  },
  'takes none when it has as many keys as it can have': {
    Fake: adding((erased, erasures, add) =>
      erased.keys.size === ERASURE_KEYS_MAX
        ? Promise.reject(new TallybookError('TOO_MANY_ERASURE_KEYS', 'no room'))
        : add(erasures),
    ),
    fails: [titles.knownKeys],
  },
  'counts keys that it has forgotten': {
    Fake: world((parts, erased) => {
      const seen = new Set<string>([erased.key]);
      return new (class extends MemoryErasureStore {
        override async add(erasures: readonly Erasure[], now: Timestamp): Promise<void> {
          for (const { key } of erasures) seen.add(key);
          if (seen.size > ERASURE_KEYS_MAX) throw new TallybookError('TOO_MANY_ERASURE_KEYS', 'no room');
          return super.add(erasures, now);
        }
      })(parts, erased);
    }),
    fails: [titles.keysAgain],
  },
  'erases nobody when it has the keys of many sites': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override erase(request: ErasureRequest): Promise<readonly string[]> {
            return erased.keys.size === ERASURE_KEYS_MAX
              ? Promise.reject(new TallybookError('TOO_MANY_ERASURE_KEYS', 'no room'))
              : super.erase(request);
          }
        })(parts, erased),
    ),
    fails: [titles.ownKey],
  },
  'takes a digest under another key for its erasure': {
    Fake: adding((erased, erasures, add) => {
      for (const { digest, ...each } of erasures)
        for (const known of erased.all)
          if (known.digest === digest) erased.put({ ...known, until: each.until });
      return add(erasures);
    }),
    fails: [titles.otherKey, titles.laterEnd],
  },
  'takes the first of several erasures with one digest': {
    Fake: adding((_, erasures, add) =>
      add([...new Map([...erasures].reverse().map((erasure) => [erasure.digest, erasure])).values()]),
    ),
    fails: [titles.otherKey, titles.several],
  },
  'lets an erasure that comes again end sooner': {
    Fake: adding((erased, erasures, add) => {
      for (const each of erasures) if (erased.get(each) !== undefined) erased.put(done(each));
      return add(erasures);
    }),
    fails: [titles.laterEnd],
  },
  'makes another key at each start': {
    Fake: world((parts, erased) => {
      if (erased.isEmpty) erased.key = new MemoryErasures().key;
      return new MemoryErasureStore(parts, erased);
    }),
    fails: [titles.keptKey, titles.adopts],
  },
  'takes another key at any time': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override adoptKey(key: string): Promise<void> {
            erased.key = key;
            return super.adoptKey(key);
          }
        })(parts, erased),
    ),
    fails: [titles.adopts],
  },
  'takes no other key': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override adoptKey(): Promise<void> {
            return Promise.resolve();
          }
        })(parts, erased),
    ),
    fails: [titles.adopts],
  },
  'works when it is closed': {
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async list(): Promise<readonly KeptErasure[]> {
            return this.status === 'open' ? super.list() : [];
          }
        })(parts, erased),
    ),
    fails: [titles.closed],
  },
});
