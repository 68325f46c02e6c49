import type { Name } from '../values/name.js';
import type { PersonId } from '../values/people/person.js';
import { presentEntry } from '../values/people/timeline.js';
import { isSameName } from '../values/name.js';
import type { TallyId } from '../values/tally-id.js';
import type { PeopleDraft } from './people-draft.js';

/** What a list changes of a person. */
export interface ChangedPerson {
  /** The person as the change was decided on. Absent: a new one. */
  readonly seen?: {
    readonly id: PersonId;
    readonly name: Name | undefined;
    readonly number: string | undefined;
  };
  /** `null` takes a value away; an absent field stays. A new person has a name. */
  readonly fields: {
    readonly name?: Name;
    readonly number?: string | null;
    readonly groups?: readonly string[];
    /** A guest becomes a member. */
    readonly guest?: null;
  };
  /** The tags that they get, and who has each of them now, if that is somebody with a name. */
  readonly gets: readonly { readonly tag: TallyId; readonly from: PersonId | undefined }[];
  /** The tags of theirs that are lost from now on. */
  readonly loses: readonly TallyId[];
}

/** Whether persons and tags still are what changes were decided on. It asks for all of them, so that they are read at once. */
export function areAsSeen(draft: PeopleDraft, changes: readonly ChangedPerson[]): boolean {
  const holderOf = (tag: TallyId): PersonId | undefined => {
    const holder = presentEntry(draft.timeline(tag))?.holder;
    const root = holder && draft.resolve(holder);
    // A removed person may hold a tag still: lists know only persons with a name.
    return root !== undefined && draft.whole(root)?.name?.value !== undefined ? root : undefined;
  };
  let areSame = true;
  for (const { seen, gets, loses } of changes) {
    if (seen !== undefined) {
      const person = draft.whole(draft.resolve(seen.id));
      if (person?.id !== seen.id || person.number?.value !== seen.number) areSame = false;
      if (!isSameName(person?.name?.value, seen.name)) areSame = false;
    }
    for (const { tag, from } of gets) if (holderOf(tag) !== from) areSame = false;
    for (const tag of loses) if (holderOf(tag) !== seen?.id) areSame = false;
  }
  return areSame;
}
