import type { PeopleStore } from '../../ports/people/people-store.js';
import type { Refusals } from '../../ports/record/refusals.js';
import type { PersonId } from '../../values/people/person.js';
import { holdingsOf, type Timeline } from '../../values/people/timeline.js';
import type { TallyId } from '../../values/tally-id.js';
import { BEGINNING, OUTSIDE_TIME_MAX, toTimestamp, type Timestamp } from '../../values/timestamp.js';
import type { GuestLimit } from '../guest-limit.js';
import type { BackupRecord } from './backup.js';

const ALWAYS = OUTSIDE_TIME_MAX as Timestamp;

/** A time in which a tag was a guest's. */
interface Span {
  readonly from: Timestamp;
  readonly until: Timestamp;
  readonly guest: PersonId;
}

/**
 * The guests of a backup whose last day is over for longer than guests are kept, and who are not known here: they are not brought
 * back. It looks at all records of the backup, in their order, before the first one is written.
 */
export class PastGuests implements Refusals {
  readonly #people: PeopleStore;
  readonly #limit: GuestLimit;
  /** The guests who were added before the limit. */
  readonly #guests = new Set<PersonId>();
  /** Those whom others were merged into: with a member they are one. If they are not, they are erased later. */
  readonly #merged = new Set<PersonId>();
  readonly #spans = new Map<TallyId, Span[]>();

  constructor(people: PeopleStore, limit: GuestLimit) {
    this.#people = people;
    this.#limit = limit;
  }

  look(record: BackupRecord): void {
    switch (record.kind) {
      case 'person': {
        const { id, guest, alias } = record.person;
        const since = guest?.value?.since;
        // Who was merged into somebody else stays with them.
        if (alias?.value !== undefined) this.#merged.add(alias.value);
        if (since === undefined || since >= this.#limit.firstKept || alias?.value !== undefined) return;
        this.#guests.add(id);
        this.#add(this.#people.lastResortOf(id), { from: BEGINNING, until: ALWAYS, guest: id });
        return;
      }
      case 'tag':
        this.#lookAtTimeline(record.timeline);
        return;
      case 'entry':
        if (record.day < this.#limit.firstKept) return;
        this.#see(record.entry.id, record.entry.first, record.entry.last);
        return;
      case 'correction':
        if (record.correction.day >= this.#limit.firstKept)
          this.#see(record.correction.id, record.correction.at);
        return;
      case 'provisional': {
        const { id, filing } = record.scan;
        if (filing === undefined) this.#see(id, BEGINNING, ALWAYS);
        else if (filing.day >= this.#limit.firstKept) this.#see(id, filing.at);
        return;
      }
      case 'tallybook':
      case 'erasure':
      case 'group':
      case 'carried':
      case 'name':
      case 'end':
    }
  }

  /** Leaves out those who are known here: their last day may be a later one. Call it after the last record. */
  async settle(): Promise<void> {
    for (const id of this.#merged) this.#guests.delete(id);
    const { persons } = await this.#people.read({ persons: this.#guests });
    for (const [id, row] of persons) if (row !== undefined) this.#guests.delete(id);
  }

  isRefused(id: TallyId, at: Timestamp | undefined): boolean {
    const its = this.#spans.get(id) ?? [];
    return its.some(
      ({ from, until, guest }) =>
        this.#guests.has(guest) && (at === undefined ? until === ALWAYS : from <= at && at <= until),
    );
  }

  /** A long timeline comes in parts: what was open at the end of one ends where the next one begins. */
  #lookAtTimeline(part: Timeline): void {
    const { tag, entries } = part;
    const [start] = entries;
    const before = this.#spans.get(tag);
    if (start !== undefined && before !== undefined)
      this.#spans.set(
        tag,
        before.map((span) =>
          span.until === ALWAYS ? { ...span, until: toTimestamp(Math.max(start.since - 1, 0)) } : span,
        ),
      );
    for (const { holder, since: from, until = ALWAYS } of holdingsOf(part))
      if (holder !== undefined && this.#guests.has(holder)) this.#add(tag, { from, until, guest: holder });
  }

  #add(tag: TallyId, span: Span): void {
    const its = this.#spans.get(tag) ?? [];
    its.push(span);
    this.#spans.set(tag, its);
  }

  #see(id: TallyId, first: Timestamp, last = first): void {
    for (const { from, until, guest } of this.#spans.get(id) ?? [])
      if (first <= until && last >= from) this.#guests.delete(guest);
  }
}
