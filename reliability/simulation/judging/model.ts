import type { Change, Correction, Day, Entry, TallyId, Timestamp } from '@tallybook/domain';
import { correctionKey, dayOf, Holdings, scanKey } from './holdings.js';
import { NameWrites } from './name-writes.js';

interface Copy {
  readonly holdings: Holdings;
  readonly atMs: number;
}

/**
 * What all places must have in the end, whatever was sent between them: the holdings of all places together, the names by the rule,
 * and nothing of those who were erased. It watches what is written at each place, and knows nothing of how places sync.
 */
export class Model {
  readonly names: NameWrites;
  /** All that was ever written at any place. */
  readonly ever: Holdings = new Holdings();
  /**
   * Whether the centre cannot tell any more which days it removed, and what it decided: its corrections of them may stay at a
   * station.
   */
  hasForgotten = false;
  readonly #places = new Map<string, Holdings>();
  readonly #copies = new Map<string, Copy>();
  /** Up to when tags were ever erased, wherever, whether that is known to anybody still or not. */
  readonly #erasedUntil = new Map<TallyId, number>();
  readonly #erasedAtMs = new Map<TallyId, number>();
  /** Scans and corrections of a time that had not come yet: the clock was ahead. */
  readonly #ahead = new Set<string>();
  readonly #imported = new Set<string>();
  /** Days that were ever removed at the centre: what is left of them depends on who came before. */
  readonly #removed = new Set<Day>();

  readonly #centre: string;

  constructor(centre: string) {
    this.#centre = centre;
    this.names = new NameWrites(centre);
  }

  get places(): ReadonlyMap<string, Holdings> {
    return this.#places;
  }

  /**
   * A place has written down a change.
   *
   * @param now The true time, in seconds since 1970.
   */
  take(
    place: string,
    change: Change,
    now: number,
    correctionOf: (number: number) => Correction | undefined,
  ): void {
    this.#at(place).take(change, correctionOf);
    // Nobody taps at the centre: a scan that only the centre knows was made up.
    if (place !== this.#centre || change.kind !== 'scan') this.ever.take(change, correctionOf);
    if (change.kind === 'day' && change.action === 'removed' && place === this.#centre)
      this.#removed.add(change.day);
    if (change.kind === 'scan' && change.at > now) this.#ahead.add(scanKey(change.day, change.id, change.at));
    if (change.kind !== 'correction') return;
    const correction = correctionOf(change.number);
    if (correction !== undefined && correction.at > now) this.#ahead.add(correctionKey(correction));
  }

  /** @param now The true time, in seconds since 1970. */
  imported(place: string, day: Day, entry: Entry, now: number): void {
    this.#at(place).import(day, entry);
    this.ever.import(day, entry);
    for (const at of [entry.first, entry.last]) {
      const key = scanKey(day, entry.id, at);
      this.#imported.add(key);
      if (at > now) this.#ahead.add(key);
    }
  }

  /** Somebody asked to erase a tag. */
  erasing(id: TallyId, until: Timestamp, atMs: number): void {
    if (!this.#erasedAtMs.has(id)) this.#erasedAtMs.set(id, atMs);
    this.#erasedUntil.set(id, Math.max(until, this.erasedEver(id)));
  }

  /** When somebody first asked to erase a tag, in milliseconds since the world began. */
  erasedAtMs(id: TallyId): number {
    return this.#erasedAtMs.get(id) ?? Infinity;
  }

  isErased(id: TallyId): boolean {
    return this.#erasedUntil.has(id);
  }

  /** Up to when a tag was ever erased; -1 if it was not. */
  erasedEver(id: TallyId): number {
    return this.#erasedUntil.get(id) ?? -1;
  }

  isRemoved(key: string): boolean {
    return this.#removed.has(dayOf(key));
  }

  isAhead(key: string): boolean {
    return this.#ahead.has(key);
  }

  isImported(key: string): boolean {
    return this.#imported.has(key);
  }

  copied(place: string, atMs: number): void {
    this.#copies.set(place, { holdings: this.#at(place).copy(), atMs });
  }

  restored(place: string): void {
    const copy = this.#copies.get(place);
    if (copy === undefined) return;
    this.#places.set(place, copy.holdings.copy());
    this.names.restored(place, copy.atMs);
  }

  /** What must be at the centre, before anybody is erased. */
  expected(): Holdings {
    const all = new Holdings();
    for (const { scans, corrections } of this.#places.values()) {
      for (const key of scans) all.scans.add(key);
      for (const [key, isDecided] of corrections) {
        all.corrections.set(key, all.corrections.get(key) === true || isDecided);
      }
    }
    return all;
  }

  #at(place: string): Holdings {
    const holdings = this.#places.get(place) ?? new Holdings();
    this.#places.set(place, holdings);
    return holdings;
  }
}
