import { createHmac, randomBytes } from 'node:crypto';
import type { Change, TallyId, Timestamp } from '@tallybook/domain';
import {
  ErasureIndex,
  givenAt,
  requireRoom,
  type Erasure,
  type ErasureRequest,
  type ErasureRoom,
  type ErasureStore,
  type KeptErasure,
  type TagDigests,
  type Trace,
} from '@tallybook/domain/record';
import type { MemoryCorrectionStore } from './memory-correction-store.js';
import type { MemoryDayStore } from './memory-day-store.js';
import type { MemoryJournal } from './memory-journal.js';
import type { MemoryMappingStore } from './memory-mapping-store.js';
import type { MemoryProvisionalStore } from './memory-provisional-store.js';
import { MemoryStore } from './memory-store.js';

/** The stores from which a {@link MemoryErasureStore} erases. */
export interface MemoryErasureParts {
  readonly mapping: MemoryMappingStore;
  readonly days: MemoryDayStore;
  readonly provisional?: MemoryProvisionalStore;
  readonly corrections?: MemoryCorrectionStore;
  readonly journal?: MemoryJournal;
}

const KEY_BYTES = 16;
const DIGEST_DIGITS = 32;

const tagDigests: TagDigests = {
  newKey: () => randomBytes(KEY_BYTES).toString('hex'),
  digestOf: (key, id) =>
    createHmac('sha256', Buffer.from(key, 'hex')).update(id).digest('hex').slice(0, DIGEST_DIGITS),
};

/** An index of erasures, and whether it still has the present erasures. */
interface Indexed {
  index: ErasureIndex<Erasure>;
  isCurrent: boolean;
}

/**
 * One index for each map of erasures. Several stores may share a map, as servers share a database, and see each other's changes
 * at once.
 */
const indexes = new WeakMap<ReadonlyMap<string, Erasure>, Indexed>();

function indexOf(erasures: ReadonlyMap<string, Erasure>): Indexed {
  const known = indexes.get(erasures) ?? { index: new ErasureIndex<Erasure>(tagDigests), isCurrent: false };
  indexes.set(erasures, known);
  return known;
}

/** An {@link ErasureStore} of memory stores. Its data lives as long as the given `erasures`. */
export class MemoryErasureStore extends MemoryStore implements ErasureStore {
  readonly #parts: MemoryErasureParts;
  /** By digest. */
  readonly #erasures: Map<string, Erasure>;
  readonly #indexed: Indexed;

  constructor(parts: MemoryErasureParts, erasures: Map<string, Erasure> = new Map<string, Erasure>()) {
    super();
    this.#parts = parts;
    this.#erasures = erasures;
    this.#indexed = indexOf(erasures);
  }

  refusedUntil(id: TallyId): Timestamp | undefined {
    return this.#present().find(id)?.until;
  }

  list(): Promise<readonly KeptErasure[]> {
    return this.run(() => {
      const kept = [...this.#erasures.values()].map((erasure) => ({ ...erasure, state: 'done' as const }));
      return Promise.resolve(kept.sort((a, b) => (a.digest < b.digest ? -1 : 1)));
    });
  }

  erase({ ids, until, expiresAt, room }: ErasureRequest): Promise<readonly string[]> {
    return this.run(() => {
      const names = ids.map((id) => this.#present().nameOf(id));
      requireRoom(this.#present(), names, room);
      const digests = ids.map((id) => {
        const { key, digest } = this.#present().nameOf(id);
        this.#keep({ key, digest, until, expiresAt });
        this.#eraseTag(id, () => true);
        return digest;
      });
      this.#parts.journal?.append(...digests.map((digest): Change => ({ kind: 'erased', digest })));
      return Promise.resolve(digests);
    });
  }

  add(erasures: readonly Erasure[], now: Timestamp, room?: ErasureRoom): Promise<void> {
    return this.run(() => {
      requireRoom(this.#present(), this.#present().untaken(erasures), room);
      for (const erasure of erasures) {
        const known = this.#erasures.get(erasure.digest);
        if (known !== undefined && (known.key !== erasure.key || known.until >= erasure.until)) continue;
        const { key, digest, until, expiresAt } = erasure;
        this.#keep({ key, digest, until, expiresAt });
        const ids = this.#allTags().filter((id) => tagDigests.digestOf(key, id) === digest);
        for (const id of ids) this.#eraseTag(id, (at) => at <= until || at > now);
        if (ids.length > 0) this.#parts.journal?.append({ kind: 'erased', digest });
      }
      return Promise.resolve();
    });
  }

  shorten(erasures: readonly Erasure[]): Promise<void> {
    return this.run(() => {
      this.#indexed.isCurrent = false;
      for (const { key, digest, until, expiresAt } of erasures) {
        const known = this.#erasures.get(digest);
        if (known?.key === key && known.until > until) this.#keep({ key, digest, until, expiresAt });
      }
      return Promise.resolve();
    });
  }

  expire(now: Timestamp): Promise<number> {
    return this.run(() => {
      const expired = [...this.#erasures.values()].filter(({ expiresAt }) => expiresAt <= now);
      for (const { digest } of expired) this.#erasures.delete(digest);
      this.#indexed.isCurrent = false;
      return Promise.resolve(expired.length);
    });
  }

  scrub(): Promise<boolean> {
    return this.run(() => Promise.resolve(true));
  }

  async *trace(id: TallyId): AsyncGenerator<Trace, void, undefined> {
    yield* await this.run(() => Promise.resolve(this.#tracesOf(id)));
  }

  formerFiles(): Promise<readonly string[]> {
    return this.run(() => Promise.resolve([]));
  }

  #present(): ErasureIndex<Erasure> {
    const indexed = this.#indexed;
    if (!indexed.isCurrent) indexed.index = indexed.index.with(this.#erasures.values());
    indexed.isCurrent = true;
    return indexed.index;
  }

  #keep(erasure: Erasure): void {
    this.#erasures.set(erasure.digest, erasure);
    this.#indexed.isCurrent = false;
  }

  #tracesOf(id: TallyId): readonly Trace[] {
    const { mapping, days, provisional, corrections, journal } = this.#parts;
    const name = mapping.nameOf(id);
    const stamp = mapping.stampOf(id);
    return [
      ...(name === undefined ? [] : [{ kind: 'name', name } as const]),
      ...(stamp === undefined ? [] : [{ kind: 'stamp', ...stamp } as const]),
      ...days.entriesOf(id).map(([day, { entry, scans }]): Trace => {
        return { kind: 'entry', day, entry, scans: [...scans].sort((a, b) => a - b) };
      }),
      ...(provisional?.scansOf(id) ?? []).map((scan): Trace => ({ kind: 'provisional', scan })),
      ...(corrections?.correctionsOf(id) ?? []).map((correction): Trace => {
        return { kind: 'correction', correction };
      }),
      ...(journal?.entriesOf((change) => tellsOf(change, id)) ?? []).map((entry): Trace => {
        return { kind: 'change', entry };
      }),
    ];
  }

  #allTags(): readonly TallyId[] {
    const { mapping, days, provisional, corrections, journal } = this.#parts;
    const ids = new Set<TallyId>([
      ...mapping.tags(),
      ...days.tags(),
      ...(provisional?.tags() ?? []),
      ...(corrections?.tags() ?? []),
    ]);
    for (const { change } of journal?.entriesOf(() => true) ?? []) if ('id' in change) ids.add(change.id);
    return [...ids];
  }

  #eraseTag(id: TallyId, isGone: (at: Timestamp) => boolean): void {
    const { mapping, days, provisional, corrections, journal } = this.#parts;
    const stamp = mapping.stampOf(id)?.stamp;
    const givenAtSecond = givenAt(stamp);
    const isNameGone = givenAtSecond === undefined || isGone(givenAtSecond);
    if (isNameGone) mapping.erase(id);
    days.erase(id, isGone);
    for (const scan of provisional?.scansOf(id) ?? []) {
      if (scan.filing === undefined || isGone(scan.filing.at)) provisional?.erase(scan);
    }
    for (const correction of corrections?.correctionsOf(id) ?? []) {
      if (isGone(correction.at)) corrections?.erase(correction);
    }
    const later = (corrections?.correctionsOf(id) ?? []).filter(({ at }) => !isGone(at));
    const stay = new Set(later.map(({ number }) => number));
    journal?.forget((change) => {
      if (change.kind === 'scan') return change.id === id && isGone(change.at);
      if (change.kind === 'name') return change.id === id && isNameGone;
      return tellsOf(change, id) && !(change.kind === 'correction' && stay.has(change.number));
    });
  }
}

function tellsOf(change: Change, id: TallyId): boolean {
  return 'id' in change && change.id === id;
}
