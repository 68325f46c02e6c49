import { MIMEType } from 'node:util';
import { FILE_MAX_BYTES } from '@tallybook/http-contract';
import type Koa from 'koa';
import { quote } from '@tallybook/domain';
import { readBytes } from './read-body.js';

/** A file that came with a request. It is only in memory, never on a disk. */
export interface SentFile {
  /** 0 bytes to 1 MiB, in any encoding. */
  readonly bytes: Buffer;
  /**
   * The type that the client names, without parameters and in small letters, such as `text/csv`; `undefined` if it
   * names none.
   */
  readonly type: string | undefined;
  /** The charset that the client names, in small letters; `undefined` if it names none. */
  readonly charset: string | undefined;
  /** The texts of the other fields of a form, by their names; of equal names the last one. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Reads media type and charset from a `Content-Type`. */
function describeType(text: string): Pick<SentFile, 'type' | 'charset'> {
  try {
    const { essence, params } = new MIMEType(text);
    return { type: essence, charset: params.get('charset')?.toLowerCase() };
  } catch {
    return { type: undefined, charset: undefined };
  }
}

const FORM_TYPE = 'multipart/form-data';

/** Largest number of fields of a form, including the file. */
const MAX_FIELDS = 16;
/** Largest size of the headers of a field, in bytes. */
const MAX_HEADER_BYTES = 4_096;
/** RFC 2046, section 5.1.1. */
const BOUNDARY = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/;

/**
 * Takes the only file out of a form. Throws 400 if there is no file, if there are several, or if the body is not a form.
 *
 * koa-body would use formidable, which writes files to the disk, and which a long header keeps busy for minutes. Node can read
 * forms too, but advises servers against it. Here a form is small, and only its file is needed.
 *
 * @see RFC 7578.
 */
function fileOfForm(ctx: Koa.Context, bytes: Buffer): SentFile {
  const boundary = new MIMEType(ctx.get('Content-Type')).params.get('boundary') ?? '';
  if (!BOUNDARY.test(boundary)) ctx.throw(400, `Content-Type: must have a boundary, as ${FORM_TYPE} has`);
  const all = fieldsOf(ctx, bytes, `--${boundary}`);
  const files = all.flatMap(toFile);
  const [file] = files;
  return file !== undefined && files.length === 1
    ? { ...file, fields: new Map(all.flatMap(toText)) }
    : ctx.throw(400, `the form must have one file; it has ${files.length}`);
}

interface Field {
  readonly headers: string;
  readonly content: Buffer;
}

/**
 * The fields of a form. Each has a delimiter before it, then headers, an empty line, and its content. `--` follows the
 * last delimiter.
 */
function fieldsOf(ctx: Koa.Context, bytes: Buffer, delimiter: string): readonly Field[] {
  const fields: Field[] = [];
  let at = bytes.indexOf(delimiter) + delimiter.length;
  while (bytes.toString('latin1', at, at + 2) !== '--') {
    const headersEnd = bytes.indexOf('\r\n\r\n', at);
    // The empty line may come directly after the delimiter, and a content may be empty.
    const end = headersEnd < 0 ? -1 : bytes.indexOf(`\r\n${delimiter}`, headersEnd + 2);
    if (at < delimiter.length || end < 0) {
      ctx.throw(400, `the body is not ${FORM_TYPE} with the boundary of its Content-Type`);
    }
    if (headersEnd - at > MAX_HEADER_BYTES) {
      ctx.throw(400, `the headers of a field of the form must have at most ${MAX_HEADER_BYTES} bytes`);
    }
    if (fields.length === MAX_FIELDS) ctx.throw(400, `the form must have at most ${MAX_FIELDS} fields`);
    fields.push({
      headers: bytes.toString('latin1', at, headersEnd),
      content: bytes.subarray(headersEnd + 4, end),
    });
    at = end + 2 + delimiter.length;
  }
  return fields;
}

/** A field with a file name is a file, says RFC 7578, section 4.2. */
function toFile({ headers, content }: Field): readonly Omit<SentFile, 'fields'>[] {
  // The closing quote may be missing. Searching it again from every quote would take long.
  const withoutTexts = headers.replace(/"(?:[^"\\\r\n]|\\.?)*"?/g, '""');
  if (!/^content-disposition:.*;\s*filename\*?\s*=/im.test(withoutTexts)) return [];
  return [{ bytes: content, ...describeType(/^content-type:(.*)$/im.exec(headers)?.[1] ?? '') }];
}

/** The name and text of a field that is not a file. */
function toText(field: Field): readonly (readonly [string, string])[] {
  const [, name] = /^content-disposition:[^\r\n]*;\s*name="([^"\r\n]*)"/im.exec(field.headers) ?? [];
  return name === undefined || toFile(field).length > 0 ? [] : [[name, field.content.toString('utf8')]];
}

/**
 * Reads the file of a request: its body, or the only file of a form (`multipart/form-data`), with the other fields of the form.
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
  return ctx.is(FORM_TYPE) ? fileOfForm(ctx, bytes) : { bytes, ...describeType(type), fields: new Map() };
}
