import { isTallybookError, quote, WallClock } from '@tallybook/domain';
import type { CsvOptions, Delimiter, Language, Profile } from '@tallybook/spreadsheets';
import type Koa from 'koa';
import { choice } from '../../requests/choice.js';
import { languages, preferredLanguage } from '../../requests/preferred-language.js';
import type { Query } from '../../requests/query.js';

const shapes = ['table', 'entries'] as const;
const delimiters: readonly Delimiter[] = ['comma', 'semicolon', 'tab'];
const profiles: readonly Profile[] = ['spreadsheet', 'data'];
const answers = ['yes', 'no'] as const;

/**
 * Longest language tag, in characters. RFC 5646, section 4.4.1, has 35; a header has room for thousands, which take
 * long to check.
 */
const TAG_MAX_LENGTH = 100;

/** The requested form of a sheet. */
export interface SheetChoice {
  readonly shape: (typeof shapes)[number];
  /** `undefined` for column names for programs. */
  readonly lang: Language | undefined;
  /** IANA time zone. */
  readonly zone: string;
}

/** Reads `shape`, `lang` and `zone`. The defaults come from `Accept-Language` and from the service. */
export function selectSheet(ctx: Koa.Context, query: Query, zone: string): SheetChoice {
  return {
    shape: choice(ctx, query, 'shape', shapes) ?? 'table',
    lang: choice(ctx, query, 'lang', languages) ?? preferredLanguage(ctx),
    zone: selectZone(ctx, query) ?? zone,
  };
}

/** Like {@link selectSheet}, and reads `delimiter`, `bom` and `profile` too. */
export function selectCsv(
  ctx: Koa.Context,
  query: Query,
  serviceZone: string,
): { readonly sheet: SheetChoice; readonly options: CsvOptions } {
  const { lang, zone, shape } = selectSheet(ctx, query, serviceZone);
  const profile = choice(ctx, query, 'profile', profiles) ?? 'spreadsheet';
  const isData = profile === 'data';
  const bom = choice(ctx, query, 'bom', answers);
  const delimiter = choice(ctx, query, 'delimiter', delimiters);
  const usual = isData ? 'comma' : usualDelimiter(query.text('lang') ?? preferredTags(ctx)[0]);
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

function selectZone(ctx: Koa.Context, query: Query): string | undefined {
  const zone = query.text('zone');
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
