import type { AttendanceService } from '../attendance/attendance-service.js';
import type { TrustedTime } from '../backup/erased-records.js';
import { doubtOf } from '../personal/retention-guard.js';
import type { CorrectionStore } from '../ports/correction-store.js';
import type { DayStore } from '../ports/day-store.js';
import type { ErasureStore } from '../ports/erasure-store.js';
import type { StampedNames } from '../ports/stamped-names.js';
import type { Calendar } from '../time/calendar.js';
import type { Day } from '../values/day.js';
import type { Erasure } from '../values/erasure.js';
import type { DownItem, NameItem } from '../values/sync.js';
import { toTimestamp } from '../values/timestamp.js';
import { isNameErased, toStampedName } from './name-items.js';

export interface ApplyDependencies {
  /** The stores of the station themselves, not the guarded ones. */
  readonly days: DayStore;
  readonly stamped: StampedNames;
  readonly corrections: CorrectionStore;
  readonly erasures: Pick<ErasureStore, 'refusedUntil' | 'add' | 'list'>;
  /** Removes a day, with its corrections. */
  readonly removeDay: AttendanceService['removeDay'];
  readonly calendar: Calendar;
  readonly timekeeper: TrustedTime;
}

const NEVER = toTimestamp(Number.MAX_SAFE_INTEGER);

/** Applies what a centre sent, in its order. Doing it again changes nothing. Rejects as the stores do. */
export async function applyItems(items: readonly DownItem[], parts: ApplyDependencies): Promise<void> {
  for (const group of groupsOf(items)) await applyGroup(group, parts);
}

/** Erases who is erased at the centre. */
export async function applyErasures(
  erasures: readonly Erasure[],
  { erasures: store, timekeeper }: Pick<ApplyDependencies, 'erasures' | 'timekeeper'>,
): Promise<void> {
  if (erasures.length === 0) return;
  await store.add(erasures, timekeeper.trust().isTrusted ? timekeeper.now() : NEVER);
}

/** Sets names to what they are at the centre. */
export async function applyNames(
  items: readonly NameItem[],
  { stamped, erasures }: Pick<ApplyDependencies, 'stamped' | 'erasures'>,
): Promise<void> {
  const welcome = items.filter(
    ({ id, name, stamp }) => name === null || !isNameErased(stamp, erasures.refusedUntil(id)),
  );
  if (welcome.length > 0) await stamped.replace(welcome.map(toStampedName));
}

/**
 * Removes the days that are not kept at the centre, unless there is a doubt: see {@link doubtOf}. A wrong clock at the centre
 * must not empty its stations.
 */
export async function applyKeepFrom(
  keepFrom: Day,
  { days, removeDay, calendar, timekeeper }: ApplyDependencies,
): Promise<void> {
  if (keepFrom === 0 || !timekeeper.trust().isTrusted) return;
  const today = calendar.dayOf(timekeeper.now());
  const recorded = await days.list(0 as Day, today);
  const expired = recorded.filter((day) => day < keepFrom);
  if (doubtOf(recorded, today, expired.length) !== undefined) return;
  for (const day of expired) await removeDay(day);
}

type Group =
  | { readonly kind: 'name'; readonly items: readonly NameItem[] }
  | { readonly kind: 'correction'; readonly items: readonly Extract<DownItem, { kind: 'correction' }>[] }
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
    case 'correction': {
      const all = group.items.map(({ correction }) => correction);
      const welcome = all.filter(({ id, at }) => at > (parts.erasures.refusedUntil(id) ?? -1));
      if (welcome.length > 0) await parts.corrections.correct(welcome);
      return;
    }
    case 'erasure':
      return applyErasures(
        group.items.map(({ erasure }) => erasure),
        parts,
      );
    case 'day':
      for (const { day } of group.items) await parts.removeDay(day);
  }
}
