import { implicitPerson, nobodyYet, type PersonId } from '../values/people/person.js';
import { presentEntry } from '../values/people/timeline.js';
import type { TallyId } from '../values/tally-id.js';
import { BEGINNING } from '../values/timestamp.js';
import { areAsSeen, type ChangedPerson } from './changed-person.js';
import type { Moment } from './moment.js';
import type { PeopleDraft } from './people-draft.js';
import { setFields } from './person-fields.js';
import { markUntagged } from './tag-acts.js';
import { putEntry } from './tag-entries.js';

/** A change, with the id of the person; of a new one unless a tag of theirs makes it. */
type IdentifiedChange = ChangedPerson & { readonly id: PersonId };

/** See `PeopleService.importPersons`. */
export function importPersons(
  draft: PeopleDraft,
  moment: Moment,
  changes: readonly IdentifiedChange[],
): readonly PersonId[] | undefined {
  if (!areAsSeen(draft, changes)) return undefined;
  const former = changes.flatMap(({ gets, loses }) =>
    [...gets.map(({ tag }) => tag), ...loses].flatMap(
      (tag) => presentEntry(draft.timeline(tag))?.holder ?? [],
    ),
  );
  const ids = changes.map((change) => importPerson(draft, moment, change));
  for (const holder of new Set(former)) markUntagged(draft, holder);
  return ids;
}

function importPerson(
  draft: PeopleDraft,
  moment: Moment,
  { seen, fields, gets, loses, id: ownId }: IdentifiedChange,
): PersonId {
  const named = seen === undefined ? gets.find(({ tag }) => wasNobodys(draft, tag))?.tag : undefined;
  const id = named === undefined ? ownId : implicitPerson(named);
  if (Object.keys(fields).length > 0) draft.putPerson(setFields(draft, moment, { root: id, fields }));
  for (const { tag } of gets) {
    if (tag === named) continue;
    const timeline = draft.timeline(tag);
    const present = presentEntry(timeline);
    const isAnew = present === undefined || present.why === 'removed';
    const since = isAnew ? (present?.since ?? BEGINNING) : moment.fromToday(timeline);
    putEntry(draft, moment, { tag, since, holder: id, why: 'given' });
  }
  for (const tag of loses) putEntry(draft, moment, { tag, since: moment.now(), why: 'lost' });
  if (seen === undefined && gets.length === 0)
    draft.putPerson({ ...(draft.person(id) ?? nobodyYet(id)), isUntagged: true });
  return id;
}

/** Whether a tag is in no row but, at most, that of a name that was taken away. */
function wasNobodys(draft: PeopleDraft, tag: TallyId): boolean {
  return !draft.hasTimelineRow(tag) && presentEntry(draft.timeline(tag)) === undefined;
}
