import { counted, formatDay, quote, type Name, type PersonId, type TallyId } from '@tallybook/domain';
import {
  retentionDoubts,
  type ErasedTag,
  type ErasureReport,
  type RetentionReport,
} from '@tallybook/domain/personal';
import type { FoundTag, PersonDetail } from '@tallybook/domain/record';
import type { Config } from '../../config/config.js';
import { describeMoment } from '../access/describe-list.js';

/** Number of days and of guests that are listed; the others are only counted. */
const LINES_SHOWN = 20;

/** A report with the values of `--keep` and `--keep-guests` as texts. */
export type ToldRetention = Omit<RetentionReport, 'keep' | 'keepGuests'> & {
  readonly keep: string | undefined;
  readonly keepGuests: string | undefined;
};

/**
 * Describes an erasure for `tallybook erase`.
 *
 * @param searched The place where backups were searched: `in FOLDER`; `undefined` if nowhere.
 * @param isInDatabase Whether the store is in a database, so that its files are not under the control of this program.
 */
export function describeErasure(
  { isDryRun, tags, backupsWithIt, formerFiles, isScrubbed }: ErasureReport,
  searched: string | undefined,
  isInDatabase = false,
): readonly string[] {
  const lines = tags.map((tag) => describeTag(tag, { isDryRun }));
  if (!isDryRun && isInDatabase) {
    lines.push(
      'no table holds it any more; files of the database, its log and its backups do until they are written over',
    );
  } else if (!isDryRun) {
    lines.push(
      isScrubbed
        ? 'no file of the store holds it any more'
        : 'files of the store may still hold it: run the server, or this again',
    );
  }
  if (searched === undefined) {
    lines.push(
      'backups were not searched: name their folder with --backup, and look at those elsewhere yourself',
    );
  } else if (backupsWithIt.length === 0) {
    lines.push(`no backup (*.jsonl) ${searched} holds it; look at copies elsewhere yourself`);
  }
  for (const name of backupsWithIt) lines.push(`still in the backup ${name}`);
  for (const name of formerFiles)
    lines.push(`may still be in ${name}, kept in the store since a repair or a rollback`);
  return lines;
}

/** Whether there is, or was, no data of a tag. */
function isUnknown({ hasName, days, provisional, corrections, changes }: ErasedTag): boolean {
  return !hasName && days + provisional + corrections + changes === 0;
}

/**
 * Describes the stored or erased data of a tag.
 *
 * @param name Name of its holder.
 */
export function describeTag(
  tag: ErasedTag,
  { isDryRun, name }: { readonly isDryRun: boolean; readonly name?: Name | undefined },
): string {
  const { id, hasName, days, scans, provisional, corrections, changes } = tag;
  if (isUnknown(tag)) {
    return isDryRun
      ? `${id}: nothing is known of it; erasing it still refuses older data of it from stations and imports`
      : `${id}: nothing was known of it; older data of it from stations and imports is refused`;
  }
  const parts = [
    name === undefined
      ? hasName
        ? 'a name'
        : 'no name'
      : `the name ${quote(`${name.first} ${name.last}`.trim())}`,
    `${counted(days, 'day')} with ${counted(scans, 'known scan')}`,
    counted(provisional, 'scan that waits', 'scans that wait'),
    counted(corrections, 'correction'),
    `${counted(changes, 'change')} in the journal`,
  ];
  return `${id}: ${isDryRun ? 'would erase' : 'erased'} ${parts.join(', ')}`;
}

/** A person as a question shows them: who they are, and when they held a tag. */
export type ShownPerson = Pick<PersonDetail, 'id' | 'name' | 'number' | 'aliases' | 'timelines'>;

/** Describes a person whose data would be erased, so that nobody mistakes a namesake for them. */
export function describePerson({ id, name, number, timelines }: ShownPerson): string {
  const who = name === undefined ? 'no name' : quote(`${name.first} ${name.last}`.trim());
  const tags = timelines.flatMap(({ tag, holdings }) =>
    holdings
      .filter(({ person }) => person === id)
      .map(({ since, until }) => {
        const from = since === 0 ? '' : ` from ${describeMoment(since)}`;
        return `${tag}${from}${until === undefined ? '' : ` until ${describeMoment(until)}`}`;
      }),
  );
  const held = tags.length === 0 ? 'never had a tag' : `had ${tags.join(', ')}`;
  return `person ${id}: ${who}, ${number === undefined ? 'no number' : `number ${quote(number)}`}, ${held}`;
}

/** Describes a removal of old days and guests for `tallybook retention`. */
export function describeRetention(report: ToldRetention): readonly string[] {
  const { isDryRun, keepGuests, guests, doubt } = report;
  const lines = [...describeDays(report)];
  if (guests.length > 0) {
    const verb = isDryRun ? 'would be erased' : 'erased';
    lines.push(
      `${counted(guests.length, 'guest')} ${verb} with all scans (${keepGuests ?? ''} after the last day)`,
      ...guests
        .slice(0, LINES_SHOWN)
        .map(({ person, since }) => `  person ${person}: a guest since ${formatDay(since)}`),
    );
    if (guests.length > LINES_SHOWN) lines.push(`  and ${guests.length - LINES_SHOWN} more`);
  }
  if (doubt !== undefined && isDryRun)
    lines.push(`they are not removed without confirmation: ${retentionDoubts[doubt]}`);
  return lines;
}

function describeDays({ isDryRun, keep, firstKept, days, backups }: ToldRetention): readonly string[] {
  if (keep === undefined || firstKept === undefined) return ['all days are kept: --keep is not set'];
  const verb = isDryRun ? 'would be removed' : 'removed';
  const countEntries = (count: number): string => counted(count, 'entry', 'entries');
  const entries = days.reduce((sum, day) => sum + day.entries, 0);
  const lines = [
    `${counted(days.length, 'day')} with ${countEntries(entries)} ${verb}: those before ${formatDay(firstKept)} (${keep})`,
    ...days.slice(0, LINES_SHOWN).map((each) => `  ${formatDay(each.day)}: ${countEntries(each.entries)}`),
  ];
  if (days.length > LINES_SHOWN) lines.push(`  and ${days.length - LINES_SHOWN} more`);
  for (const name of backups) lines.push(`backup ${name}: ${verb}`);
  return lines;
}

/** The part of the configuration that these commands use. */
export type PersonalConfig = Pick<
  Config,
  | 'store'
  | 'clock'
  | 'zone'
  | 'dayStart'
  | 'keep'
  | 'keepGuests'
  | 'upstream'
  | 'backupFolder'
  | 'readers'
  | 'adapters'
>;

/** Whom an erasure is about: persons by their tags, or by their own ids. */
export interface Wanted {
  readonly ids: readonly TallyId[];
  readonly persons: readonly PersonId[];
}

/** The data of persons, for commands. */
export interface PersonalData {
  /** The place where backups are searched: `in FOLDER`; `undefined` if nowhere. */
  readonly searched: string | undefined;
  /** Whether the store is in a database, so that its files are not under the control of this program. */
  readonly isInDatabase: boolean;
  /** The tags that a text may mean: one, or several of which a person must choose. */
  look(text: string, format: string | undefined): Promise<readonly FoundTag[]>;
  erase(wanted: Wanted, options: { readonly isDryRun: boolean }): Promise<ErasureReport>;
  /** Rejects with `PERSON_NOT_FOUND`. */
  show(person: PersonId): Promise<ShownPerson>;
  /** The name of a tag; `undefined` if it has no name. */
  nameOf(id: TallyId): Promise<Name | undefined>;
  /** All data of a person, or of the holder of a tag, piece by piece. */
  person(wanted: TallyId | { readonly person: PersonId }): AsyncIterable<string | Uint8Array>;
  retention(options: { readonly isDryRun: boolean; readonly isConfirmed: boolean }): Promise<ToldRetention>;
}
