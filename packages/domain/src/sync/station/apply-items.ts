import type { AttendanceService } from '../../attendance/attendance-service.js';
import type { TrustedTime } from '../../time/timekeeper.js';
import { doubtOf } from '../../personal/retention-guard.js';
import type { CorrectionStore } from '../../record/ports/correction-store.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { ErasureStore } from '../../record/ports/erasure-store.js';
import type { PeopleStore } from '../../ports/people/people-store.js';
import type { StampedNames } from '../ports/stamped-names.js';
import type { Calendar } from '../../time/calendar.js';
import type { Correction } from '../../values/record/correction.js';
import { isSameCorrection } from '../../record/values/correction.js';
import type { Day } from '../../values/day.js';
import { isSameName } from '../../values/name.js';
import { nameOfErasure, type Erasure } from '../../record/values/erasure.js';
import type { CorrectionItem, DownItem, NameItem } from '../values/sync.js';
import { toTimestamp, type Timestamp } from '../../values/timestamp.js';
import { isNameErased, toStampedName } from '../items/name-items.js';
import { tagsOfPersons } from '../../people/tags-of-persons.js';
import { mergePeopleItems, toPeopleItem, toPeopleName, type RowItem } from '../items/people-items.js';
import { lookUpTags, type LookUpParts } from '../items/look-up-tags.js';
import { soundOr } from '../items/sound-rows.js';
import type { SyncNotes } from '../sync-notes.js';

export interface ApplyDependencies extends Pick<LookUpParts, 'clock' | 'pause'> {
  /** The stores of the station themselves, not the guarded ones. */
  readonly days: DayStore;
  readonly stamped: StampedNames;
  readonly people?: PeopleStore | undefined;
  readonly corrections: CorrectionStore;
  readonly erasures: Pick<ErasureStore, 'isRefused' | 'add' | 'shorten' | 'list' | 'adoptKey'>;
  /** Removes a day, with its corrections. */
  readonly removeDay: AttendanceService['removeDay'];
  readonly calendar: Calendar;
  readonly timekeeper: TrustedTime;
  /** Notes the changes by the centre. */
  readonly notes?: SyncNotes;
}

const NEVER = toTimestamp(Number.MAX_SAFE_INTEGER);

/**
 * Applies items of a centre, in their order. Applying them again changes nothing. Items for a damaged row are left out: after a
 * repair, all items are taken again. For all other errors, it rejects as the stores do.
 */
export async function applyItems(items: readonly DownItem[], parts: ApplyDependencies): Promise<void> {
  await lookUpTags(items, parts);
  for (const group of groupsOf(items)) await applyGroup(group, parts);
}

/**
 * Applies erasures of the centre.
 *
 * @param sent The erasures that were just sent to the centre. An erasure that the centre answers with an earlier end was made by
 * a clock that was ahead, and gets the end of the centre. But an erasure whose tag was erased here again since keeps its end:
 * the new erasure is sent and answered too.
 */
export async function applyErasures(
  erasures: readonly Erasure[],
  { erasures: store, timekeeper, notes }: Pick<ApplyDependencies, 'erasures' | 'timekeeper' | 'notes'>,
  sent: readonly Erasure[] = [],
): Promise<void> {
  if (erasures.length === 0) return;
  const known = untilByName(await store.list());
  const sentUntil = untilByName(sent);
  const cut = erasures.filter((each) => {
    const before = sentUntil.get(nameOfErasure(each));
    return before !== undefined && each.until < before && known.get(nameOfErasure(each)) === before;
  });
  if (cut.length > 0) await store.shorten(cut);
  await store.add(erasures, timekeeper.trust().isTrusted ? timekeeper.now() : NEVER);
  await notes?.note({
    erasures: erasures.filter((each) => (known.get(nameOfErasure(each)) ?? -1) < each.until),
  });
}

function untilByName(erasures: readonly Erasure[]): ReadonlyMap<string, Timestamp> {
  return new Map(erasures.map((each) => [nameOfErasure(each), each.until]));
}

/** Sets names to those of the centre. */
export async function applyNames(
  items: readonly NameItem[],
  { stamped, people, erasures, notes }: Pick<ApplyDependencies, 'stamped' | 'people' | 'erasures' | 'notes'>,
): Promise<void> {
  const ofPersons = await tagsOfPersons(
    people,
    items.map(({ id }) => id),
  );
  const before = new Map((await stamped.get(items.map(({ id }) => id))).map(({ id, name }) => [id, name]));
  // Checked in the same turn as the write: an erasure that begins later finds the names in the store. A removed name is always
  // taken: it holds no personal data.
  const welcome = items.filter((item) => item.name === null || !isNameErased(item, erasures));
  if (welcome.length === 0) return;
  const names = welcome.map(toStampedName);
  const theirs = names.filter(({ id }) => ofPersons.has(id));
  await Promise.all([
    stamped.replace(names.filter(({ id }) => !ofPersons.has(id))),
    people && mergePeopleItems(theirs.map(toPeopleName), { people, erasures, isNoted: false }),
  ]);
  const others = welcome.filter(({ id, name }) => !isSameName(name ?? undefined, before.get(id)));
  await notes?.note({ names: others.length });
}

/** Merges rows about persons of the centre, which knows no other ones that are later. A storage without persons leaves them out. */
async function applyPeople(
  items: readonly RowItem[],
  { people, erasures }: ApplyDependencies,
): Promise<void> {
  if (people === undefined) return;
  await mergePeopleItems(items.map(toPeopleItem), { people, erasures, isNoted: false });
}

async function applyCorrections(
  items: readonly CorrectionItem[],
  { corrections, erasures, notes }: ApplyDependencies,
): Promise<void> {
  const all = items.map(({ correction }) => correction);
  const days = [...new Set(all.map(({ day }) => day))];
  const before = new Map<Day, readonly Correction[]>();
  for (const day of days) {
    const listed = await soundOr(() => corrections.list(day, day));
    if (listed !== undefined) before.set(day, listed);
  }
  // Checked in the same turn as the write, as with names.
  const welcome = all.filter(({ id, day, at }) => before.has(day) && !erasures.isRefused(id, at));
  if (welcome.length === 0) return;
  const made = await corrections.correct(welcome);
  const others = made.filter((each) => {
    const former = before.get(each.day)?.find((one) => isSameCorrection(one, each));
    return former?.state !== each.state;
  });
  await notes?.note({ corrections: others });
}

/**
 * Removes the days that are no longer kept at the centre, unless there is a doubt: see {@link doubtOf}. A wrong clock at the centre
 * must not empty its stations.
 */
export async function applyKeepFrom(
  keepFrom: Day,
  { days, removeDay, calendar, timekeeper, notes }: ApplyDependencies,
): Promise<void> {
  if (keepFrom === 0 || !timekeeper.trust().isTrusted) return;
  const today = calendar.dayOf(timekeeper.now());
  // Then the clock of the centre is ahead of this one.
  if (keepFrom > today) return;
  const recorded = await days.list(0 as Day, today);
  const expired = recorded.filter((day) => day < keepFrom);
  // The centre needed a confirmation for a large share of its own record. A station that was away for long may have
  // mostly old days.
  if (doubtOf(recorded, today, expired.length, { isAskedElsewhere: true }) !== undefined) return;
  let removed = 0;
  try {
    for (const day of expired) if ((await soundOr(() => removeDay(day))) === true) removed++;
  } finally {
    await notes?.noteRetention(keepFrom, removed);
  }
}

type Group =
  | { readonly kind: 'name'; readonly items: readonly NameItem[] }
  | { readonly kind: 'person' | 'tag' | 'group' | 'carried'; readonly items: readonly RowItem[] }
  | { readonly kind: 'correction'; readonly items: readonly CorrectionItem[] }
  | { readonly kind: 'erasure'; readonly items: readonly Extract<DownItem, { kind: 'erasure' }>[] }
  | { readonly kind: 'day'; readonly items: readonly Extract<DownItem, { kind: 'day' }>[] };

/** Items of one kind that follow each other are applied together. */
function groupsOf(items: readonly DownItem[]): readonly Group[] {
  const groups: { kind: DownItem['kind']; items: DownItem[] }[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.kind === item.kind) last.items.push(item);
    else groups.push({ kind: item.kind, items: [item] });
  }
  return groups as readonly Group[];
}

async function applyGroup(group: Group, parts: ApplyDependencies): Promise<void> {
  switch (group.kind) {
    case 'name':
      return applyNames(group.items, parts);
    case 'person':
    case 'tag':
    case 'group':
    case 'carried':
      return applyPeople(group.items, parts);
    case 'correction':
      return applyCorrections(group.items, parts);
    case 'erasure':
      return applyErasures(
        group.items.map(({ erasure }) => erasure),
        parts,
      );
    case 'day':
      for (const { day } of group.items) {
        if ((await soundOr(() => parts.removeDay(day))) === true) await parts.notes?.note({ days: [day] });
      }
  }
}
