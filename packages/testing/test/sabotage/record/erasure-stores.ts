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
  type ErasureRoom,
  type KeptErasure,
  type Trace,
} from '@tallybook/domain/record';
import { MemoryErasureStore, type MemoryErasureParts } from '@tallybook/testing';
import { ErasureWorld } from './erasure-world.js';
import { faults } from '../sabotage.js';

type Parts = Required<MemoryErasureParts>;

/** A world with another erasure store. */
function world(
  make: (parts: Parts, erased: Map<string, Erasure>) => MemoryErasureStore,
): typeof ErasureWorld {
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
    erased: Map<string, Erasure>,
    erasures: readonly Erasure[],
    add: (erasures: readonly Erasure[]) => Promise<void>,
  ) => Promise<void>,
): typeof ErasureWorld {
  return world(
    (parts, erased) =>
      new (class extends MemoryErasureStore {
        override add(erasures: readonly Erasure[], now: Timestamp, room?: ErasureRoom): Promise<void> {
          return work(erased, erasures, (others) => super.add(others, now, room));
        }
      })(parts, erased),
  );
}

function keysOf(erased: Map<string, Erasure>): ReadonlySet<string> {
  return new Set([...erased.values()].map(({ key }) => key));
}

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
function shortening(shorten: (erased: Map<string, Erasure>, erasure: Erasure) => void): typeof ErasureWorld {
  return world(
    (parts, erased) =>
      new (class extends MemoryErasureStore {
        override shorten(erasures: readonly Erasure[]): Promise<void> {
          for (const { key, digest, until, expiresAt } of erasures)
            shorten(erased, { key, digest, until, expiresAt });
          return super.shorten([]);
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
  several: 'refuses up to the latest of the erasures of a tag, whatever their keys',
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
  room: 'takes no more keys and erasures than the caller has room for',
  roomTogether: 'takes no more than that of callers who come at the same time',
  noRoom: 'erases nobody for whom there is no room, and somebody who was erased before',
  keysAgain: 'has room for other keys when the erasures of some are forgotten',
  forged: 'keeps an erasure whose digest comes under another key',
  forgedTogether: 'takes the first of two erasures that come together with one digest',
  reopened: 'goes on at the next opening, whichever write failed',
} as const;

const at = (seconds: number): Timestamp => toTimestamp(1_763_500_000 + seconds);

export const erasureStoreSabotages = faults<typeof ErasureWorld>({
  'does not trace provisional scans': {
    fails: [titles.all],
    Fake: tracing((traces) => traces.filter(({ kind }) => kind !== 'provisional')),
  },
  'traces days for tags that have none': {
    fails: [titles.nothing, titles.taken],
    Fake: tracing((traces, id) => {
      const entry = { id, first: at(0), last: at(0), count: 1 };
      return traces.length > 0 ? traces : [{ kind: 'entry', day: toDay(1), entry, scans: [] }];
    }),
  },
  'leaves the name': {
    fails: [titles.journal],
    Fake: erasing(async (_, { mapping }, request, erase) => {
      const [id] = request.ids;
      const name = id && mapping.nameOf(id);
      const digests = await erase(request);
      if (id !== undefined && name !== undefined) await mapping.put(id, name);
      return digests;
    }),
  },
  'leaves the changes of the journal': {
    fails: [titles.journal],
    Fake: erasing(async (_, { journal }, request, erase) => {
      const entries = journal.entriesOf((change) => 'id' in change && request.ids.includes(change.id));
      const digests = await erase(request);
      journal.append(...entries.map(({ change }): Change => change));
      return digests;
    }),
  },
  'leaves the corrections': {
    fails: [titles.corrections, titles.correctionsAlone],
    Fake: world((parts, erased) => {
      const { corrections } = parts;
      const erase = corrections.erase.bind(corrections);
      corrections.erase = (correction) => {
        if (correction.id !== parseTallyId('04A2B3C4D5')) erase(correction);
      };
      return new MemoryErasureStore(parts, erased);
    }),
  },
  'erases what others did on the same days': {
    fails: [titles.trace, titles.others],
    Fake: erasing(async (_, { days, mapping }, request, erase) => {
      const digests = await erase(request);
      for (const id of days.tags())
        if (!request.ids.includes(id) && mapping.nameOf(id)) days.erase(id, () => true);
      return digests;
    }),
  },
  'leaves an empty day': class extends ErasureWorld {
    static readonly fails = [titles.day];
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
  'erases without the stores': class extends ErasureWorld {
    static readonly fails = [titles.revisions];
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
  'tells the journal nothing': {
    fails: [titles.told],
    Fake: erasing(async (_, { journal }, request, erase) => {
      const digests = await erase(request);
      journal.forget(({ kind }) => kind === 'erased');
      return digests;
    }),
  },
  'gives cursors of erased changes again': class extends ErasureWorld {
    static readonly fails = [titles.cursor];
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
  'refuses every tag as soon as one is erased': {
    fails: [titles.noRoom],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override refusedUntil(): Timestamp | undefined {
            return [...erased.values()].at(-1)?.until;
          }
        })(parts, erased),
    ),
  },
  'refuses up to the erasure of a tag that came last': {
    fails: [titles.several],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override refusedUntil(id: TallyId): Timestamp | undefined {
            const until = super.refusedUntil(id);
            return until === undefined ? undefined : [...erased.values()].at(-1)?.until;
          }
        })(parts, erased),
    ),
  },
  'refuses when all is erased, and not before': {
    fails: [titles.refuses],
    Fake: erasing(async (_, __, request, erase) => {
      await Promise.resolve();
      return erase(request);
    }),
  },
  'refuses what an erasure of a backup is of when all is erased, and not before': {
    fails: [titles.refusesTaken],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async add(
            erasures: readonly Erasure[],
            now: Timestamp,
            room?: ErasureRoom,
          ): Promise<void> {
            await Promise.resolve();
            return super.add(erasures, now, room);
          }
        })(parts, erased),
    ),
  },
  'erases before a scan that was under way is recorded': {
    fails: [titles.written, titles.writtenBackup],
    Fake: world((parts, erased) => {
      const { days } = parts;
      const record = days.record.bind(days);
      days.record = async (...scan) => {
        await endOfTurn();
        return record(...scan);
      };
      return new MemoryErasureStore(parts, erased);
    }),
  },
  'keeps the ids': {
    fails: [titles.digests, titles.restart],
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
  },
  'erases a tag once only': {
    fails: [titles.again],
    Fake: erasing(async (store, _, request, erase) => {
      const [id] = request.ids;
      if (id !== undefined && store.refusedUntil(id) !== undefined)
        return (await store.list()).map((e) => e.digest);
      return erase(request);
    }),
  },
  'erases what comes later too': {
    fails: [titles.later, titles.part],
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
  },
  'forgets with a restart': {
    fails: [titles.restart],
    Fake: world((parts) => new MemoryErasureStore(parts)),
  },
  'takes over erasures, and the journal tells of no correction of their tags any more': {
    fails: [titles.lateChanges],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async add(
            erasures: readonly Erasure[],
            now: Timestamp,
            room?: ErasureRoom,
          ): Promise<void> {
            await super.add(erasures, now, room);
            parts.journal.forget(({ kind }) => kind === 'correction');
          }
        })(parts, erased),
    ),
  },
  'takes over erasures, and erases nothing': {
    fails: [titles.correctionsAlone],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async add(erasures: readonly Erasure[]): Promise<void> {
            for (const erasure of erasures) erased.set(erasure.digest, erasure);
            await Promise.resolve();
          }
        })(parts, erased),
    ),
  },
  'takes an erasure that was interrupted for one that is done': class extends ErasureWorld {
    static readonly fails = [titles.interrupted, titles.reopened];
    override interrupt(erasures: readonly Erasure[]): Promise<void> {
      for (const erasure of erasures) this.erased.set(erasure.digest, erasure);
      return super.interrupt(erasures);
    }
  },
  'leaves the stamp of a name that was taken away': {
    fails: [titles.varied, titles.variedBackup],
    Fake: world((parts, erased) => {
      const { mapping } = parts;
      const erase = mapping.erase.bind(mapping);
      mapping.erase = (id) => {
        if (mapping.nameOf(id) !== undefined) erase(id);
      };
      return new MemoryErasureStore(parts, erased);
    }),
  },
  'leaves a name that was given elsewhere': {
    fails: [titles.varied],
    Fake: world((parts, erased) => {
      const { mapping } = parts;
      const erase = mapping.erase.bind(mapping);
      mapping.erase = (id) => {
        if (mapping.nameOf(id) === undefined || mapping.stampOf(id)?.stamp?.node !== 'hall') erase(id);
      };
      return new MemoryErasureStore(parts, erased);
    }),
  },
  'erases everything for an erasure of a backup': {
    fails: [titles.lateCorrections],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override add(erasures: readonly Erasure[], _: Timestamp, room?: ErasureRoom): Promise<void> {
            return super.add(erasures, toTimestamp(0), room);
          }
        })(parts, erased),
    ),
  },
  'lets no erasure end sooner': { fails: [titles.soonerScrubbed], Fake: shortening(() => undefined) },
  'lets an erasure end as it is told, also if that is later': {
    fails: [titles.sooner],
    Fake: shortening((erased, erasure) => {
      if (erased.get(erasure.digest)?.key === erasure.key) erased.set(erasure.digest, erasure);
    }),
  },
  'lets an erasure of another key end sooner': {
    fails: [titles.sooner],
    Fake: shortening((erased, { digest, until, expiresAt }) => {
      const known = erased.get(digest);
      if (known !== undefined && known.until > until) erased.set(digest, { ...known, until, expiresAt });
    }),
  },
  'keeps an erasure that is to end sooner and is not there': {
    fails: [titles.soonerMissing],
    Fake: shortening((erased, erasure) => {
      const known = erased.get(erasure.digest);
      if (known === undefined || (known.key === erasure.key && known.until > erasure.until))
        erased.set(erasure.digest, erasure);
    }),
  },
  'forgets a second too early': {
    fails: [titles.expired],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override expire(now: Timestamp): Promise<number> {
            return super.expire(toTimestamp(now + 1));
          }
        })(parts, erased),
    ),
  },
  'writes what it found when it began to scrub': {
    fails: [titles.soonerScrubbed],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async scrub(): Promise<boolean> {
            const found = [...erased];
            const isDone = await super.scrub();
            for (const [digest, erasure] of found) erased.set(digest, erasure);
            return isDone;
          }
        })(parts, erased),
    ),
  },
  'never says that nothing is left': {
    fails: [titles.scrubbed],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override scrub(): Promise<boolean> {
            return Promise.resolve(false);
          }
        })(parts, erased),
    ),
  },
  'has a key for each of several tags that are erased together': {
    fails: [titles.oneKey],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async list(): Promise<readonly KeptErasure[]> {
            const kept = await super.list();
            return kept.map((erasure, n) => (n === 0 ? erasure : { ...erasure, key: `${n}`.repeat(32) }));
          }
        })(parts, erased),
    ),
  },
  'gives each caller all of its room': {
    fails: [titles.room, titles.roomTogether],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override add(erasures: readonly Erasure[], now: Timestamp): Promise<void> {
            return super.add(erasures, now);
          }
        })(parts, erased),
    ),
  },
  'erases whether there is room or not': {
    fails: [titles.noRoom],
    Fake: erasing((_store, _parts, { ids, until, expiresAt }, erase) => erase({ ids, until, expiresAt })),
  },
  'has room for one key more': {
    fails: [titles.keys],
    Fake: adding(async (erased, erasures, add) => {
      if (keysOf(erased).size !== ERASURE_KEYS_MAX) return add(erasures);
      const known = keysOf(erased);
      for (const each of erasures) if (!known.has(each.key)) erased.set(each.digest, each);
      return add(erasures.filter(({ key }) => known.has(key)));
    }),
  },
  'takes those of several erasures that it has room for': {
    fails: [titles.keys],
    Fake: adding(async (erased, erasures, add) => {
      const known = keysOf(erased);
      if (known.size === ERASURE_KEYS_MAX) await add(erasures.filter(({ key }) => known.has(key)));
      return add(erasures);
    }),
  },
  'takes none when it has as many keys as it can have': {
    fails: [titles.knownKeys],
    Fake: adding((erased, erasures, add) =>
      keysOf(erased).size === ERASURE_KEYS_MAX
        ? Promise.reject(new TallybookError('TOO_MANY_ERASURE_KEYS', 'no room'))
        : add(erasures),
    ),
  },
  'counts keys that it has forgotten': {
    fails: [titles.keysAgain],
    Fake: world((parts, erased) => {
      const seen = new Set<string>();
      return new (class extends MemoryErasureStore {
        override async add(erasures: readonly Erasure[], now: Timestamp, room?: ErasureRoom): Promise<void> {
          for (const { key } of erasures) seen.add(key);
          if (seen.size > ERASURE_KEYS_MAX) throw new TallybookError('TOO_MANY_ERASURE_KEYS', 'no room');
          return super.add(erasures, now, room);
        }
      })(parts, erased);
    }),
  },
  'takes a digest under another key for its erasure': {
    fails: [titles.forged],
    Fake: adding((erased, erasures, add) => {
      for (const each of erasures) if (erased.has(each.digest)) erased.set(each.digest, each);
      return add(erasures);
    }),
  },
  'takes the last of two erasures with one digest': {
    fails: [titles.forgedTogether],
    Fake: adding((_, erasures, add) =>
      add([...new Map(erasures.map((erasure) => [erasure.digest, erasure])).values()]),
    ),
  },
  'works when it is closed': {
    fails: [titles.closed],
    Fake: world(
      (parts, erased) =>
        new (class extends MemoryErasureStore {
          override async list(): Promise<readonly KeptErasure[]> {
            return this.status === 'open' ? super.list() : [];
          }
        })(parts, erased),
    ),
  },
});
