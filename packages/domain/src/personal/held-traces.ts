import type { PeopleStore } from '../ports/people/people-store.js';
import { readPeople } from '../people/change-people.js';
import { tagOfImplicit, type Person, type PersonId } from '../values/people/person.js';
import { holdingsOf, presentEntry, standing } from '../values/people/timeline.js';
import { TallybookError } from '../errors.js';
import type { ErasedHolding, Trace } from '../record/ports/erasure-store.js';
import { isReservedTallyId, type TallyId } from '../values/tally-id.js';
import type { Timestamp } from '../values/timestamp.js';

/** A person, and what of the record is theirs. */
export interface HeldRecord {
  readonly person: Person;
  /** All ids of the person: their own, and those of persons who were merged into them. */
  readonly ids: readonly PersonId[];
  /** The tags they held, and when. */
  readonly holdings: readonly ErasedHolding[];
  /** The tag of an implicit person without rows: all of it is theirs. */
  readonly onlyTag: TallyId | undefined;
}

/**
 * What a person held up to now.
 *
 * @throws {TallybookError} `PERSON_NOT_FOUND`.
 */
export function recordOf(people: PeopleStore, id: PersonId, now: Timestamp): Promise<HeldRecord> {
  return readPeople(people, (draft) => {
    const root = draft.resolve(id);
    const person = draft.whole(root);
    if (person === undefined) throw new TallybookError('PERSON_NOT_FOUND', 'there is no such person');
    const ids = new Set(draft.idsOf(root));
    // What was recorded without a tag is theirs as a whole.
    const held = person.tags.filter((tag) => !isReservedTallyId(tag));
    const holdings = held.flatMap((tag) =>
      holdingsOf(draft.timeline(tag)).flatMap(({ holder, since: from, until }): readonly ErasedHolding[] => {
        if (holder === undefined || !ids.has(holder)) return [];
        // A later end is of a clock that is ahead: up to now the tag is theirs.
        return until === undefined || until > now
          ? [{ id: tag, from, until: now }]
          : [{ id: tag, from, until, isClosed: true }];
      }),
    );
    const tag = tagOfImplicit(root);
    const onlyTag = tag === undefined || draft.hasTimelineRow(tag) ? undefined : tag;
    return { person, ids: [...ids], holdings, onlyTag };
  });
}

/**
 * The person that a tag stands for when it alone is given: its holder. `undefined` if it has no timeline, so that all of it is the
 * person's.
 *
 * @throws {TallybookError} `PERSON_CONFLICT` if the tag had other holders, or its holder has other tags: then the person must be
 * chosen.
 */
export function personOfTag(people: PeopleStore, tag: TallyId): Promise<PersonId | undefined> {
  return readPeople(people, (draft) => {
    if (!draft.hasTimelineRow(tag)) return undefined;
    const timeline = draft.timeline(tag);
    const holders = new Set(
      standing(timeline).flatMap(({ holder }) => (holder ? draft.resolve(holder) : [])),
    );
    const present = presentEntry(timeline)?.holder;
    const [only] = holders;
    if (only === undefined) return undefined;
    const tags = (draft.whole(only)?.tags ?? []).filter((each) => !isReservedTallyId(each));
    if (holders.size === 1 && tags.length === 1 && present !== undefined) return only;
    throw new TallybookError(
      'PERSON_CONFLICT',
      `tag ${tag} does not say alone who is meant: choose the persons (${[...holders].join(', ')})`,
    );
  });
}

/** The part of a piece of data that lies within these holdings of its tag; `undefined` if none does. */
export function heldPart(trace: Trace, holdings: readonly ErasedHolding[]): Trace | undefined {
  const isHeld = (at: Timestamp): boolean => holdings.some(({ from, until }) => at >= from && at <= until);
  const isOpen = holdings.some(({ isClosed }) => isClosed !== true);
  switch (trace.kind) {
    case 'entry': {
      const { first, last } = trace.entry;
      const scans = trace.scans.filter(isHeld);
      if (scans.length === trace.scans.length) return trace;
      const [earliest, latest] = [scans[0], scans.at(-1)];
      if (earliest === undefined || latest === undefined) return undefined;
      const isWhole = earliest === first && latest === last;
      const count = isWhole ? trace.entry.count : scans.length;
      return { ...trace, entry: { ...trace.entry, first: earliest, last: latest, count }, scans };
    }
    case 'correction':
      return isHeld(trace.correction.at) ? trace : undefined;
    case 'provisional': {
      const { filing } = trace.scan;
      return (filing === undefined ? isOpen : isHeld(filing.at)) ? trace : undefined;
    }
    case 'change': {
      const { change } = trace.entry;
      return (change.kind === 'scan' ? isHeld(change.at) : isOpen) ? trace : undefined;
    }
    case 'name':
    case 'stamp':
      return isOpen ? trace : undefined;
  }
}
