import { MIMEType } from 'node:util';

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
