import { setImmediate } from 'node:timers/promises';
import { formatDay, type AuditNotes, type Calendar } from '@tallybook/domain';
import type { CodeOf, RangeService } from '@tallybook/domain/record';
import type * as Spreadsheets from '@tallybook/spreadsheets';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import type { Downloads } from '../../answers/downloads.js';
import { fileHeaders } from '../file-headers.js';
import { Query } from '../../requests/query.js';
import type { Route } from '../route.js';
import { selectCodes } from './select-codes.js';
import { selectRange, type DayRange } from './select-range.js';
import { selectCsv, selectSheet, type SheetChoice } from './sheet-choice.js';

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export interface SheetRoutesDependencies {
  readonly ranges: RangeService;
  readonly calendar: Calendar;
  readonly downloads: Downloads;
  readonly audit?: AuditNotes | undefined;
}

/** `GET /api/csv` and `GET /api/xlsx`: the attendance in a range of days, as files for spreadsheets and programs. */
export function sheetRoutes({
  ranges,
  calendar,
  downloads,
  audit,
}: SheetRoutesDependencies): readonly Route[] {
  /** Reads the range and writes the whole file. */
  async function* write<Piece>(
    range: DayRange & { readonly codeOf: CodeOf | undefined },
    choice: SheetChoice,
    writeSheet: (
      sheet: Spreadsheets.Sheet,
      spreadsheets: typeof Spreadsheets,
    ) => AsyncGenerator<Piece, void, undefined>,
  ): AsyncGenerator<Piece, void, undefined> {
    // Loaded at the first file: few services need it.
    const spreadsheets = await import('@tallybook/spreadsheets');
    const { entriesSheet, tableSheet, textsOf, dataTexts } = spreadsheets;
    const texts = choice.lang === undefined ? dataTexts : textsOf[choice.lang];
    const wording = { texts, zone: choice.zone };
    await using attendance = await ranges.open(range.from, range.to, range.codeOf);
    const sheet =
      choice.shape === 'entries'
        ? entriesSheet(attendance.entries(), wording)
        : tableSheet(await attendance.table(() => setImmediate()), wording);
    yield* writeSheet(sheet, spreadsheets);
  }

  const note = (ctx: Koa.Context, { from, to }: DayRange, format: string): Promise<void> | undefined =>
    audit?.note(principalOf(ctx).name, 'exported', { format, from, to });

  const csv = (ctx: Koa.Context): unknown => {
    const query = new Query(ctx);
    const range = { ...selectRange(query, calendar), codeOf: selectCodes(ctx, query) };
    const { sheet, options } = selectCsv(ctx, query, calendar.zone);
    ranges.check(range.from, range.to);
    return downloads.send(ctx, {
      headers: fileHeaders('text/csv; charset=utf-8; header=present', fileName(range, sheet, 'csv')),
      onBegin: () => note(ctx, range, 'csv'),
      write: () => write(range, sheet, (written, { writeCsv }) => writeCsv(written, options)),
    });
  };
  const xlsx = (ctx: Koa.Context): unknown => {
    const query = new Query(ctx);
    const range = { ...selectRange(query, calendar), codeOf: selectCodes(ctx, query) };
    const sheet = selectSheet(ctx, query, calendar.zone);
    ranges.check(range.from, range.to);
    return downloads.send(ctx, {
      headers: fileHeaders(XLSX_TYPE, fileName(range, sheet, 'xlsx')),
      onBegin: () => note(ctx, range, 'xlsx'),
      write: () => write(range, sheet, (written, { writeXlsx }) => writeXlsx(written, sheet)),
    });
  };
  return [
    { method: 'GET', path: '/api/csv', action: 'export-record', isCostly: true, handle: csv },
    { method: 'GET', path: '/api/xlsx', action: 'export-record', isCostly: true, handle: xlsx },
  ];
}

/** The name of the file. The two shapes of one range have different names. */
function fileName({ from, to }: DayRange, { shape }: SheetChoice, extension: string): string {
  const kind = shape === 'entries' ? '-entries' : '';
  return `tallybook${kind}-${formatDay(from)}-to-${formatDay(to)}.${extension}`.replaceAll(' ', '-');
}
