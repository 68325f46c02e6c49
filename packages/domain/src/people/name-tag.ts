import type { PutOutcome } from '../ports/names/mapping-store.js';
import { isSameName, type Name } from '../values/name.js';
import {
  implicitPerson,
  isSameFirstName,
  nobodyYet,
  personOfReserved,
  type Person,
  type PersonId,
} from '../values/people/person.js';
import { presentEntry, standing } from '../values/people/timeline.js';
import { isReservedTallyId, type TallyId } from '../values/tally-id.js';
import { BEGINNING, type Timestamp } from '../values/timestamp.js';
import type { Moment } from './moment.js';
import { conflict } from './people-errors.js';
import type { PeopleDraft } from './people-draft.js';
import { setFields } from './person-fields.js';
import { removed, vacate } from './remove-person.js';
import { putEntry } from './tag-entries.js';

/** Names the present holder of a tag. `newId` gives the id of a person who is made for a tag, the same each time. */
export function nameTag(
  draft: PeopleDraft,
  moment: Moment,
  {
    tag,
    name,
    newId,
  }: { readonly tag: TallyId; readonly name: Name; readonly newId: (tag: TallyId) => PersonId },
): PutOutcome {
  if (isReservedTallyId(tag)) return nameReserved(draft, moment, { tag, name });
  const put = (person: PersonId): void =>
    draft.putPerson(setFields(draft, moment, { root: person, fields: { name } }));
  const giveToNew = (since: Timestamp): void => {
    const holder = newId(tag);
    put(holder);
    putEntry(draft, moment, { tag, since, holder, why: 'given' });
  };
  const timeline = draft.timeline(tag);
  const present = presentEntry(timeline);
  if (present?.holder !== undefined) {
    const root = draft.resolve(present.holder);
    const { name: its, guest } = draft.whole(root) ?? {};
    const former = its?.value;
    const others = draft.heldBy(root).filter((other) => other !== tag);
    // A guest is erased: the badge that they left with is somebody else's.
    const isKept = others.length > 0 || guest?.value !== undefined;
    if (isKept && former !== undefined && !isSameFirstName(former, name))
      giveToNew(moment.fromToday(timeline));
    else put(root);
    return former === undefined ? 'added' : 'replaced';
  }
  if (!draft.hasTimelineRow(tag)) put(implicitPerson(tag));
  else if (present === undefined) giveToNew(BEGINNING);
  else if (present.why === 'removed') giveToNew(present.since);
  else {
    const before = standing(timeline).findLast(({ holder }) => holder !== undefined)?.holder;
    const root = before === undefined ? undefined : draft.resolve(before);
    const since = moment.fromToday(timeline);
    const isTheirs = root !== undefined && isSameName(draft.whole(root)?.name?.value, name);
    if (isTheirs) putEntry(draft, moment, { tag, since, holder: root, why: 'given' });
    else giveToNew(since);
  }
  return 'added';
}

function nameReserved(
  draft: PeopleDraft,
  moment: Moment,
  { tag, name }: { readonly tag: TallyId; readonly name: Name },
): PutOutcome {
  const holder = presentEntry(draft.timeline(tag))?.holder ?? personOfReserved(tag);
  const root = draft.resolve(holder);
  const hadName = draft.whole(root)?.name?.value !== undefined;
  draft.putPerson(setFields(draft, moment, { root, fields: { name } }));
  draft.putPerson({ ...(draft.person(holder) ?? nobodyYet(holder)), isUntagged: true });
  return hadName ? 'replaced' : 'added';
}

/** Nobody takes the place of the present holder of a tag, whose name is no more. */
export function takeName(draft: PeopleDraft, moment: Moment, tag: TallyId): void {
  if (isReservedTallyId(tag))
    throw conflict('this is the tag of last resort of a person: remove the person instead');
  const present = presentEntry(draft.timeline(tag));
  if (present?.holder === undefined) return;
  const implicit = draft.person(implicitPerson(tag));
  if (!draft.hasTimelineRow(tag)) {
    if (implicit === undefined) return;
    draft.putPerson({ ...implicit, name: moment.stamped<Name>(undefined, implicit.name?.stamp) });
    return;
  }
  vacate(draft, moment, tag);
  // Their name said all about them.
  if (implicit?.id === present.holder && isNameAlone(draft, implicit))
    draft.putPerson(removed(implicit, moment));
}

/** Whether nothing is known of a person but a name, and no other tag was ever theirs. */
function isNameAlone(
  draft: PeopleDraft,
  { id, number, from, until, guest, memberships, alias, isUntagged, tags, aliases }: Person,
): boolean {
  const fields = [number, from, until, guest, alias];
  const isPlain = memberships === undefined && fields.every((field) => field?.value === undefined);
  const holds = (tag: TallyId): boolean => standing(draft.timeline(tag)).some(({ holder }) => holder === id);
  return isPlain && isUntagged !== true && aliases.length === 0 && !tags.some(holds);
}
