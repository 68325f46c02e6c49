import type Koa from 'koa';
import { parseField } from './parse-field.js';

/**
 * The query of a request. A parameter that is read may occur once; parameters that are not read are ignored.
 *
 * Percent-encoding that is broken reads as U+FFFD and `+` as a space, so neither is ever a digit.
 */
export class Query {
  readonly #ctx: Koa.Context;
  readonly #parameters: URLSearchParams;

  constructor(ctx: Koa.Context) {
    this.#ctx = ctx;
    this.#parameters = new URLSearchParams(ctx.querystring);
  }

  /** The text of a parameter, `undefined` if it is not given. Answers 400 if it is given twice. */
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
