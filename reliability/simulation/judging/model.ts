import type { Change, Day, DetailedEntry, TallyId, Timestamp } from '@tallybook/domain';
import { knownScans, type Correction } from '@tallybook/domain/record';
import { correctionKey, dayOf, Holdings, scanKey } from './holdings.js';
import { NameWrites } from './name-writes.js';
import { PeopleWrites } from './people-writes.js';

interface Copy {
  readonly holdings: Holdings;
  readonly atMs: number;
}

/**
 * The data that all places must have at the end: the holdings of all places together, the names by their rule, and no
 * data of erased persons. The model sees the writes at each place, and does not use the messages between places.
 */
export class Model {
  readonly names: NameWrites;
  readonly people: PeopleWrites = new PeopleWrites();
  /** All data that were ever written at any place. */
  readonly ever: Holdings = new Holdings();
  /**
   * Whether the centre has lost its removals of days and its decisions: then corrections about them may stay at a
   * station.
   */
  hasForgotten = false;
  readonly #places = new Map<string, Holdings>();
  readonly #copies = new Map<string, Copy>();
  /** The latest end of all erasures of a tag at any place, even if no place knows the erasure any more. */
  readonly #erasedUntil = new Map<TallyId, number>();
  readonly #erasedAtMs = new Map<TallyId, number>();
  /** Scans and corrections with a time in the future: the clock was ahead. */
  readonly #ahead = new Set<string>();
  readonly #imported = new Set<string>();
  /** Days that were ever removed at the centre: their remaining data depends on the order of the messages. */
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
   * A place has written a change.
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
    // Nobody taps at the centre, so a scan that only the centre has is an error.
    if (place !== this.#centre || change.kind !== 'scan') this.ever.take(change, correctionOf);
    if (change.kind === 'day' && change.action === 'removed' && place === this.#centre)
      this.#removed.add(change.day);
    if (change.kind === 'scan' && change.at > now) this.#ahead.add(scanKey(change.day, change.id, change.at));
    if (change.kind !== 'correction') return;
    const correction = correctionOf(change.number);
    if (correction !== undefined && correction.at > now) this.#ahead.add(correctionKey(correction));
  }

  /** @param now The true time, in seconds since 1970. */
  imported(place: string, day: Day, entry: DetailedEntry, now: number): void {
    this.#at(place).import(day, entry);
    this.ever.import(day, entry);
    for (const { at } of knownScans(entry)) {
      const key = scanKey(day, entry.id, at);
      this.#imported.add(key);
      if (at > now) this.#ahead.add(key);
    }
  }

  /** An erasure of a tag was requested. */
  erasing(id: TallyId, until: Timestamp, atMs: number): void {
    if (!this.#erasedAtMs.has(id)) this.#erasedAtMs.set(id, atMs);
    this.#erasedUntil.set(id, Math.max(until, this.erasedEver(id)));
  }

  /** Time of the first request to erase a tag, in milliseconds since the world began. */
  erasedAtMs(id: TallyId): number {
    return this.#erasedAtMs.get(id) ?? Infinity;
  }

  isErased(id: TallyId): boolean {
    return this.#erasedUntil.has(id);
  }

  /** The latest end of all erasures of a tag; -1 if it was never erased. */
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
    this.people.copied(place);
    this.#copies.set(place, { holdings: this.#at(place).copy(), atMs });
  }

  restored(place: string): void {
    const copy = this.#copies.get(place);
    if (copy === undefined) return;
    this.#places.set(place, copy.holdings.copy());
    this.names.restored(place, copy.atMs);
    this.people.restored(place);
  }

  /** The data that the centre must have, before erasures are taken into account. */
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
