import type Koa from 'koa';
import { parseField } from './parse-field.js';

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

  optional<T>(name: string, parse: (text: unknown) => T): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parseField(name, text, parse);
  }

  required<T>(name: string, parse: (text: unknown) => T): T {
    return parseField(name, this.text(name), parse);
  }
}
