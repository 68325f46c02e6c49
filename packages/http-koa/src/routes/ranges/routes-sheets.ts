import { setImmediate } from 'node:timers/promises';
import { formatDay, isTallybookError, quote, WallClock } from '@tallybook/domain';
import type * as Spreadsheets from '@tallybook/spreadsheets';
import type { CsvOptions, Delimiter, Language } from '@tallybook/spreadsheets';
import type Koa from 'koa';
import type { RangeChoice } from '@tallybook/domain/record';
import { preferredLanguage } from '../../requests/query.js';
import { principalOf } from '../../access/principal-of.js';
import { fileHeaders, type Downloads } from '../../answers/downloads.js';
import type { Services } from '../../app-services.js';
import type { Handlers, RequestOf } from '../implement.js';
import { selectRange, type DayRange } from '../select-days.js';
import { selectCodes } from './select-codes.js';

type CsvQuery = RequestOf<'GET /api/csv'>['query'];
type SheetQuery = RequestOf<'GET /api/xlsx'>['query'];

/**
 * Longest language tag, in characters. RFC 5646, section 4.4.1, has 35; a header has room for thousands, which take
 * long to check.
 */
const TAG_MAX_LENGTH = 100;

/** The requested form of a sheet. */
interface SheetChoice {
  readonly shape: 'table' | 'entries';
  /** `undefined` for column names for programs. */
  readonly lang: Language | undefined;
  /** IANA time zone. */
  readonly zone: string;
}

/** The defaults come from `Accept-Language` and from the service. */
function selectSheet(ctx: Koa.Context, query: SheetQuery, zone: string): SheetChoice {
  const { shape = 'table', lang = preferredLanguage(ctx) } = query;
  return { shape, lang, zone: selectZone(ctx, query) ?? zone };
}

/** Like {@link selectSheet}, with the form of the text. */
function selectCsv(
  ctx: Koa.Context,
  query: CsvQuery,
  serviceZone: string,
): { readonly sheet: SheetChoice; readonly options: CsvOptions } {
  const { lang, zone, shape } = selectSheet(ctx, query, serviceZone);
  const { profile = 'spreadsheet', bom, delimiter } = query;
  const isData = profile === 'data';
  const usual = isData ? 'comma' : usualDelimiter(query.lang ?? preferredTags(ctx)[0]);
  return {
    sheet: { shape, zone, lang: isData ? undefined : lang },
    options: {
      profile,
      zone,
      delimiter: delimiter ?? usual,
      bom: bom === undefined ? !isData : bom === 'yes',
    },
  };
}

function selectZone(ctx: Koa.Context, { zone }: SheetQuery): string | undefined {
  if (zone === undefined) return undefined;
  try {
    return new WallClock(zone).zone;
  } catch (error) {
    if (!isTallybookError(error, 'INVALID_OPTION')) throw error;
    return ctx.throw(400, `zone: must be an IANA time zone such as UTC or Europe/Berlin; got ${quote(zone)}`);
  }
}

function preferredTags(ctx: Koa.Context): readonly string[] {
  const tags = ctx.acceptsLanguages() as unknown;
  return Array.isArray(tags) ? (tags as string[]) : [];
}

/** Where the decimal mark is a comma, Excel separates by semicolons. */
function usualDelimiter(tag = 'en'): Delimiter {
  if (tag.length > TAG_MAX_LENGTH) return 'comma';
  try {
    const parts = new Intl.NumberFormat(tag).formatToParts(1.5);
    return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? 'semicolon' : 'comma';
  } catch {
    // It is `*`, or not a language tag.
    return 'comma';
  }
}

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type SheetDependencies = Services<'ranges' | 'calendar' | 'timekeeper', 'audit'> & {
  readonly downloads: Downloads;
};

/** The attendance in a range of days, as files for spreadsheets and programs. */
export function sheetHandlers({
  ranges,
  calendar,
  timekeeper,
  downloads,
  audit,
}: SheetDependencies): Handlers<'GET /api/csv' | 'GET /api/xlsx'> {
  /** Reads the range and writes the whole file. */
  async function* write<Piece>(
    { from, to, ...wanted }: DayRange & RangeChoice,
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
    await using attendance = await ranges.open(from, to, wanted);
    const sheet =
      choice.shape === 'entries'
        ? entriesSheet(attendance.entries(), wording)
        : tableSheet(await attendance.table(() => setImmediate()), wording);
    yield* writeSheet(sheet, spreadsheets);
  }

  const chosen = (ctx: Koa.Context, query: SheetQuery): DayRange & RangeChoice => ({
    ...selectRange(query, calendar),
    ...{ codeOf: selectCodes(query), group: query.group },
    ...{ within: principalOf(ctx).groups, today: calendar.dayOf(timekeeper.now()) },
  });

  const note = (ctx: Koa.Context, { from, to }: DayRange, format: string): Promise<void> | undefined =>
    audit?.note(principalOf(ctx).name, 'exported', { format, from, to });

  return {
    'GET /api/csv': ({ ctx, query }) => {
      const range = chosen(ctx, query);
      const { sheet, options } = selectCsv(ctx, query, calendar.zone);
      ranges.check(range.from, range.to);
      return downloads.send(ctx, {
        headers: fileHeaders('text/csv; charset=utf-8; header=present', fileName(range, sheet, 'csv')),
        onBegin: () => note(ctx, range, 'csv'),
        write: () => write(range, sheet, (written, { writeCsv }) => writeCsv(written, options)),
      });
    },
    'GET /api/xlsx': ({ ctx, query }) => {
      const range = chosen(ctx, query);
      const sheet = selectSheet(ctx, query, calendar.zone);
      ranges.check(range.from, range.to);
      return downloads.send(ctx, {
        headers: fileHeaders(XLSX_TYPE, fileName(range, sheet, 'xlsx')),
        onBegin: () => note(ctx, range, 'xlsx'),
        write: () => write(range, sheet, (written, { writeXlsx }) => writeXlsx(written, sheet)),
      });
    },
  };
}

/** The name of the file. The two shapes of one range have different names. */
function fileName({ from, to }: DayRange, { shape }: SheetChoice, extension: string): string {
  const kind = shape === 'entries' ? '-entries' : '';
  return `tallybook${kind}-${formatDay(from)}-to-${formatDay(to)}.${extension}`.replaceAll(' ', '-');
}
