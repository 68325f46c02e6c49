import { quote } from '@tallybook/domain';
import type Koa from 'koa';
import { fileOfForm, FORM_TYPE } from './file-of-form.js';
import { readBytes } from './read-bytes.js';
import { describeType, type SentFile } from './sent-file.js';

/** Largest body with a file, including the rest of a form: 1 MiB. */
export const FILE_MAX_BYTES = 1_048_576;

/**
 * Reads the file of a request: its body, or the only file of a form (`multipart/form-data`). Other fields of the form are
 * ignored.
 *
 * Throws an HTTP error of 400, 413 or 415.
 *
 * @param types Allowed types of a body that is not a form, such as `text/csv`. A file in a form may have any type: which one a
 *   browser names depends on the programs that the person has installed.
 */
export async function readFile(ctx: Koa.Context, types: readonly string[]): Promise<SentFile> {
  const type = ctx.get('Content-Type');
  const allowed = [...types, FORM_TYPE];
  // `ctx.is` returns null if there is no body. No body counts as an empty file.
  if (ctx.is(allowed) === false) {
    ctx.throw(415, `the body must be one of ${allowed.join(', ')}; got ${quote(type)}`);
  }
  const bytes = await readBytes(ctx, FILE_MAX_BYTES);
  return ctx.is(FORM_TYPE) ? fileOfForm(ctx, bytes) : { bytes, ...describeType(type) };
}
