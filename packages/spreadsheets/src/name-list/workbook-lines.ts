import { quote } from '@tallybook/domain';
import type { ListRow } from '@tallybook/domain/record';
import { UnreadableWorkbook } from '../workbook-reading/archive.js';
import { rowsOf, type SheetRow } from '../workbook-reading/sheet-rows.js';
import { openWorkbook, type WorkbookSheet } from '../workbook-reading/workbook.js';
import type { ColumnChoices } from './columns.js';
import { findHead, HEAD_ROWS } from './head.js';
import { personsOf } from './persons.js';
import { refuse, someOf, type ListReading } from './remarks.js';

/**
 * Reads a sheet of a workbook.
 *
 * @param chosen Name of the sheet, or its number among those that are shown, from 1. Default: the first one.
 */
export async function* readWorkbook(
  bytes: Uint8Array,
  chosen: string | undefined,
  choices: ColumnChoices,
  reading: ListReading,
): AsyncGenerator<ListRow, void, undefined> {
  try {
    const workbook = await openWorkbook(bytes);
    const shown = workbook.sheets.filter(({ isHidden }) => !isHidden);
    reading.sheets = shown.map(({ name }) => name);
    const sheet = sheetOf(workbook.sheets, shown, chosen);
    if (sheet === undefined) {
      const allowed = someOf(reading.sheets.map((name) => quote(name)));
      yield refuse(1, `no sheet is called ${quote(chosen)}; there is ${allowed}`);
      return;
    }
    reading.sheet = sheet.name;
    const rows = rowsOf(workbook, sheet);
    const first = await take(rows, HEAD_ROWS);
    const head = findHead(
      first.map(({ cells }) => cells),
      choices,
      reading,
    );
    yield* personsOf(chained(first, rows), head, reading);
  } catch (error) {
    if (!(error instanceof UnreadableWorkbook)) throw error;
    yield refuse(1, error.message);
  }
}

function sheetOf(
  all: readonly WorkbookSheet[],
  shown: readonly WorkbookSheet[],
  chosen: string | undefined,
): WorkbookSheet | undefined {
  if (chosen === undefined) return shown[0];
  const text = chosen.trim().toLowerCase();
  return all.find(({ name }) => name.trim().toLowerCase() === text) ?? shown[Number(text) - 1];
}

async function* chained(
  first: readonly SheetRow[],
  others: AsyncIterable<SheetRow>,
): AsyncGenerator<SheetRow> {
  yield* first;
  yield* others;
}

async function take<T>(values: AsyncGenerator<T>, most: number): Promise<readonly T[]> {
  const taken: T[] = [];
  while (taken.length < most) {
    const next = await values.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}
