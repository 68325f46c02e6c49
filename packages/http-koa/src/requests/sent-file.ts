import { MIMEType } from 'node:util';

/** A file that came with a request. It is held in memory, and never was on a disk. */
export interface SentFile {
  /** At most 1 MiB, perhaps none, in whatever encoding. */
  readonly bytes: Buffer;
  /** Its type by the client, without parameters and in small letters, such as `text/csv`; `undefined` if the client does not say. */
  readonly type: string | undefined;
  /** Its charset by the client, in small letters; `undefined` if the client does not say. */
  readonly charset: string | undefined;
}

/** Reads media type and charset from a `Content-Type`. */
export function describeType(text: string): Pick<SentFile, 'type' | 'charset'> {
  try {
    const { essence, params } = new MIMEType(text);
    return { type: essence, charset: params.get('charset')?.toLowerCase() };
  } catch {
    return { type: undefined, charset: undefined };
  }
}
