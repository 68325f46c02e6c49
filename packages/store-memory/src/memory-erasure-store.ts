import { createHmac, randomBytes } from 'node:crypto';
import type { Change, TallyId } from '@tallybook/domain';
import {
  ErasingStore,
  ErasureIndex,
  givenAt,
  type DecideErasures,
  type ErasedScans,
  type KeptErasure,
  type TagDigests,
  type Trace,
} from '@tallybook/domain/record';
import type { MemoryCorrectionStore } from './memory-correction-store.js';
import type { MemoryDayStore } from './memory-day-store.js';
import type { MemoryJournal } from './memory-journal.js';
import type { MemoryMappingStore } from './memory-mapping-store.js';
import type { MemoryPeopleStore } from './memory-people-store.js';
import type { MemoryProvisionalStore } from './memory-provisional-store.js';

/** The stores from which a {@link MemoryErasureStore} erases. */
export interface MemoryErasureParts {
  readonly mapping: MemoryMappingStore;
  readonly people?: MemoryPeopleStore;
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

/** The erasures of a {@link MemoryErasureStore}. Several stores may share them, as servers share a database. */
export class MemoryErasures extends ErasureIndex<KeptErasure> {
  constructor(erasures: Iterable<KeptErasure> = []) {
    super(tagDigests, erasures);
  }

  copy(): MemoryErasures {
    const copy = new MemoryErasures(this.all);
    copy.key = this.key;
    return copy;
  }
}

/** An `ErasureStore` of memory stores. Its data lives as long as the given `erasures`. */
export class MemoryErasureStore extends ErasingStore {
  protected readonly index: MemoryErasures;
  protected override readonly people: MemoryPeopleStore | undefined;
  readonly #parts: MemoryErasureParts;

  constructor(parts: MemoryErasureParts, erasures: MemoryErasures = new MemoryErasures()) {
    super();
    this.#parts = parts;
    this.people = parts.people;
    this.index = erasures;
  }

  async *trace(id: TallyId): AsyncGenerator<Trace, void, undefined> {
    yield* await this.run(() => Promise.resolve(this.#tracesOf(id)));
  }

  protected refresh(): Promise<void> {
    return Promise.resolve();
  }

  protected change(decide: DecideErasures): Promise<void> {
    const { put = [], removed = [], told = [], key = this.index.key } = decide(this.index);
    for (const erasure of put) this.index.put(erasure);
    for (const erasure of removed) this.index.remove(erasure);
    this.index.key = key;
    this.#parts.journal?.append(...told.map((digest): Change => ({ kind: 'erased', digest })));
    return Promise.resolve();
  }

  protected eraseRows(tag: ErasedScans, end: DecideErasures): Promise<void> {
    this.#eraseTag(tag);
    return this.change(end);
  }

  protected findTags(isWanted: (id: TallyId) => boolean): Promise<readonly TallyId[]> {
    return Promise.resolve(this.#allTags().filter(isWanted));
  }

  #tracesOf(id: TallyId): readonly Trace[] {
    const { mapping, days, provisional, corrections, journal } = this.#parts;
    const name = mapping.nameOf(id);
    const stamp = mapping.stampOf(id);
    return [
      ...(name === undefined ? [] : [{ kind: 'name', name } as const]),
      ...(stamp === undefined ? [] : [{ kind: 'stamp', ...stamp } as const]),
      ...days.entriesOf(id).map(([day, { entry, scans }]): Trace => {
        return { kind: 'entry', day, entry, scans: [...scans.keys()].sort((a, b) => a - b) };
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
    const { mapping, people, days, provisional, corrections, journal } = this.#parts;
    const ids = new Set<TallyId>([
      ...mapping.tags(),
      ...days.tags(),
      ...(provisional?.tags() ?? []),
      ...(corrections?.tags() ?? []),
    ]);
    for (const { change } of journal?.entriesOf(() => true) ?? []) {
      if ('id' in change) ids.add(change.id);
      else if (change.kind === 'person' && people !== undefined) ids.add(people.lastResortOf(change.person));
    }
    return [...ids];
  }

  #eraseTag({ id, isGone, isClosed }: ErasedScans): void {
    const { mapping, people, days, provisional, corrections, journal } = this.#parts;
    // The name of a tag with a timeline is its holder's.
    const isHeld = people?.hasTimeline(id) === true;
    const stamp = mapping.stampOf(id)?.stamp;
    const givenAtSecond = givenAt(stamp);
    const isNameGone = !isHeld && (givenAtSecond === undefined ? isClosed !== true : isGone(givenAtSecond));
    if (isNameGone) mapping.erase(id);
    days.erase(id, isGone);
    for (const scan of provisional?.scansOf(id) ?? []) {
      if (scan.filing === undefined ? isClosed !== true : isGone(scan.filing.at)) provisional?.erase(scan);
    }
    for (const correction of corrections?.correctionsOf(id) ?? []) {
      if (isGone(correction.at)) corrections?.erase(correction);
    }
    const later = (corrections?.correctionsOf(id) ?? []).filter(({ at }) => !isGone(at));
    const stay = new Set(later.map(({ number }) => number));
    journal?.forget((change) => {
      if (change.kind === 'scan') return change.id === id && isGone(change.at);
      if (change.kind === 'name') return change.id === id && isNameGone;
      if (change.kind === 'tag') return change.id === id && !isHeld;
      if (change.kind === 'person')
        return people?.lastResortOf(change.person) === id && !people.hasPerson(change.person);
      if (change.kind === 'provisional') return change.id === id && isClosed !== true;
      return tellsOf(change, id) && !(change.kind === 'correction' && stay.has(change.number));
    });
  }
}

function tellsOf(change: Change, id: TallyId): boolean {
  return 'id' in change && change.id === id;
}
