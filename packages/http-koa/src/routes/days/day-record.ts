import type { AttendanceDay, AttendanceService, Day, Entry } from '@tallybook/domain';
import type { CorrectedDay, CorrectionService } from '@tallybook/domain/record';
import { listOf, type Part } from '../list-pieces.js';
import { correctionJson } from '../corrections/correction-json.js';

export interface RecordDependencies {
  readonly attendance: AttendanceService;
  /** Gives the corrections of entries. */
  readonly corrections?: CorrectionService | undefined;
}

/**
 * The record of a day; `undefined` if there is none. Only roles that see the record get corrections and their reasons. Others
 * get the entries that count.
 */
export function loadRecord(
  day: Day,
  { seesRecord }: { readonly seesRecord: boolean },
  { attendance, corrections }: RecordDependencies,
): Promise<AttendanceDay | CorrectedDay | undefined> {
  return (seesRecord ? corrections?.explain(day) : undefined) ?? attendance.loadDay(day);
}

/** The entries of a record, with corrections if it has them. */
export function entriesOf(record: AttendanceDay | CorrectedDay): Part {
  const { entries } = record;
  if (!('voided' in record)) return listOf(entries, formatEntry);
  const { voided, corrections } = record;
  const all = voided.length === 0 ? entries : [...entries, ...voided];
  const isVoided = new Set(voided);
  const formatExplained = (entry: Entry): string => {
    const its = corrections.get(entry.id);
    if (its === undefined) return formatEntry(entry);
    const { id, first, last, count } = entry;
    return JSON.stringify({
      ...{ id, first, last, count },
      ...(isVoided.has(entry) && { isVoided: true }),
      corrections: its.map(correctionJson),
    });
  };
  return listOf(all, formatExplained);
}

function formatEntry({ id, first, last, count }: Entry): string {
  return JSON.stringify({ id, first, last, count });
}
