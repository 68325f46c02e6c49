import { isTallybookError, quote, spellingNames, TallybookError, type SpellingName } from '@tallybook/domain';
import type Koa from 'koa';
import type { Language } from '@tallybook/spreadsheets';

/**
 * Parses one field of a request, at once or later as `parse` does, and names the field in errors.
 *
 * @throws {TallybookError} The error of `parse`, with the name in the message and in `details.field`.
 */
export function parseField<T>(name: string, value: unknown, parse: (value: unknown) => T): T {
  const fail = (error: unknown): never => {
    if (!isTallybookError(error)) throw error;
    throw new TallybookError(error.code, `${name}: ${error.message}`, {
      cause: error,
      details: { ...error.details, field: name },
    });
  };
  try {
    const parsed = parse(value);
    // An id may need the stores to be read.
    return parsed instanceof Promise ? (parsed.catch(fail) as T) : parsed;
  } catch (error) {
    return fail(error);
  }
}

/**
 * The query of a request. A used parameter may be given only once; unused parameters are ignored.
 *
 * Broken percent-encoding becomes U+FFFD and `+` becomes a space, so neither is ever a digit.
 */
export class Query {
  readonly #ctx: Koa.Context;
  readonly #parameters: URLSearchParams;

  constructor(ctx: Koa.Context) {
    this.#ctx = ctx;
    this.#parameters = new URLSearchParams(ctx.querystring);
  }

  /** The text of a parameter; `undefined` if it is not given. Throws 400 if it is given twice. */
  text(name: string): string | undefined {
    const values = this.#parameters.getAll(name);
    if (values.length > 1) this.#ctx.throw(400, `${name}: must be given once; got ${values.length} values`);
    return values[0];
  }
}

/** The spelling of an id, which is given beside it; `undefined` if it is absent. Throws 400 for another value. */
export function formatOf(ctx: Koa.Context, value: unknown): SpellingName | undefined {
  const found = spellingNames.find((name) => name === value);
  if (found !== undefined || value === undefined) return found;
  const allowed = spellingNames.join(', ');
  return ctx.throw(400, `format: must be one of ${allowed} if it is given; got ${quote(value)}`);
}

/** The languages of texts for people. */
const languages: readonly Language[] = ['en', 'de'];

/** The language that `Accept-Language` prefers; English if there is no text in any of the wanted languages. */
export function preferredLanguage(ctx: Koa.Context): Language {
  ctx.vary('Accept-Language');
  const found = ctx.acceptsLanguages(...languages);
  return languages.find((language) => language === found) ?? 'en';
}
