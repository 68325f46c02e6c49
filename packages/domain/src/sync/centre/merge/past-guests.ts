import type { PeopleStore } from '../../../ports/people/people-store.js';
import type { Refusals } from '../../../ports/record/refusals.js';
import type { GuestLimit } from '../../../record/guest-limit.js';
import {
  personOfReserved,
  tagOfImplicit,
  type Person,
  type PersonId,
} from '../../../values/people/person.js';
import { toCarried, type CarriedRow } from '../../../values/people/carried-row.js';
import { givenAt } from '../../../record/values/name-stamp.js';
import { standing } from '../../../values/people/timeline.js';
import { isReservedTallyId, type TallyId } from '../../../values/tally-id.js';
import { BEGINNING, type Timestamp } from '../../../values/timestamp.js';
import { toPeopleItem } from '../../items/people-items.js';
import type { SyncItem } from '../../values/sync.js';

type Limited = Pick<GuestLimit, 'firstKept' | 'isPast'>;

/** What a batch says about persons, as far as guests may be among them. */
interface Mentions {
  /** Guests who were added before the limit. */
  readonly guests: Set<PersonId>;
  readonly persons: Set<PersonId>;
  /** Those whom others were merged into: with a member they are one. If they are not, they are erased later. */
  readonly merged: Set<PersonId>;
  /** Holders of tags, and persons of carried rows, with a random id, who say nothing else of themselves. */
  readonly holders: Set<PersonId>;
  /** Tags of last resort. */
  readonly reserved: Set<TallyId>;
  /** Those of them that have a timeline: they are of implicit persons, who are members. */
  readonly owned: Set<TallyId>;
  /** Persons, by their tags of last resort or by a tag that they hold, who were there on a kept day. */
  readonly present: Set<TallyId>;
}

/**
 * What of a batch is of guests who were erased here some time ago: their limit is over, and nobody here knows them. So a station that
 * was offline for long brings none of them back.
 */
export async function pastGuestsOf(
  items: readonly SyncItem[],
  people: PeopleStore,
  limit: Limited,
): Promise<Refusals> {
  const found = mentionsIn(items, people, limit);
  const { guests, persons, merged, holders, reserved, owned, present } = found;
  const ofReserved = [...reserved].map(personOfReserved);
  const rows = await people.read({ persons: [...guests, ...holders, ...ofReserved], timelines: reserved });
  const isKnown = (id: PersonId): boolean => rows.persons.get(id) !== undefined;
  const isThere = (id: PersonId): boolean =>
    isKnown(id) || merged.has(id) || present.has(people.lastResortOf(id));
  const gone = new Set<TallyId>();
  for (const id of guests) if (!isThere(id)) gone.add(people.lastResortOf(id));
  for (const id of holders) if (!isThere(id) && !persons.has(id)) gone.add(people.lastResortOf(id));
  const isStranger = (tag: TallyId): boolean => {
    const id = personOfReserved(tag);
    const isOwned = owned.has(tag) || rows.timelines.get(tag) !== undefined;
    return !isOwned && !isKnown(id) && !persons.has(id) && !guests.has(id);
  };
  const strangers = new Set([...reserved].filter(isStranger));
  return {
    isRefused: (id, at) => gone.has(id) || (strangers.has(id) && at !== undefined && limit.isPast(at)),
  };
}

function mentionsIn(items: readonly SyncItem[], people: PeopleStore, limit: Limited): Mentions {
  const found: Mentions = {
    ...{ guests: new Set(), persons: new Set(), merged: new Set(), holders: new Set() },
    ...{ reserved: new Set(), owned: new Set(), present: new Set() },
  };
  const see = (id: TallyId, at: Timestamp): void => {
    if (!isReservedTallyId(id)) return;
    found.reserved.add(id);
    if (!limit.isPast(at)) found.present.add(id);
  };
  for (const item of items) {
    if (item.kind === 'scan') see(item.id, item.at);
    else if (item.kind === 'correction') see(item.correction.id, item.correction.at);
    else if (item.kind === 'entries') for (const { id, last } of item.entries) see(id, last);
    else if (item.kind === 'carried') lookAtCarried(toCarried(item.row), found, people, limit);
    else if (item.kind === 'person' || item.kind === 'tag') {
      const read = toPeopleItem(item);
      if (read.kind === 'person') lookAt(read.person, found, limit);
      if (read.kind !== 'tag') continue;
      if (isReservedTallyId(read.timeline.tag)) found.owned.add(read.timeline.tag);
      for (const { holder, since } of standing(read.timeline)) {
        if (holder === undefined || tagOfImplicit(holder) !== undefined) continue;
        found.holders.add(holder);
        // No guest has a badge from the beginning.
        if (since === BEGINNING || !limit.isPast(since)) found.present.add(people.lastResortOf(holder));
      }
    }
  }
  return found;
}

/** Whoever is named by a row that was written lately is somebody who is still there. */
function lookAtCarried(
  { stamp, persons }: CarriedRow,
  { holders, present }: Mentions,
  people: PeopleStore,
  limit: Limited,
): void {
  const at = givenAt(stamp);
  for (const id of persons) {
    if (tagOfImplicit(id) !== undefined) continue;
    holders.add(id);
    if (at !== undefined && !limit.isPast(at)) present.add(people.lastResortOf(id));
  }
}

function lookAt(
  { id, guest, alias }: Person,
  { guests, persons, merged }: Mentions,
  { firstKept }: Limited,
): void {
  const since = guest?.value?.since;
  // Who was merged into somebody else stays with them.
  if (alias?.value !== undefined) merged.add(alias.value);
  if (since !== undefined && since < firstKept && alias?.value === undefined) guests.add(id);
  else persons.add(id);
}
