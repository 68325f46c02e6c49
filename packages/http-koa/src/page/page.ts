import type { Action } from '@tallybook/domain';

/** A request that a document makes as soon as its program runs. */
export interface FirstAsk {
  /** Relative to the document, such as `./api/today`. */
  readonly path: string;
  /** The action that it needs, such as `see-today`. */
  readonly needs: Action;
}

/** A file of a page, and the forms in which it may be sent. */
export interface PageFile {
  /** For `Content-Type`. */
  readonly type: string;
  /** Entity tag without quotes: changes whenever the bytes do. */
  readonly etag: string;
  /** Whether the path changes whenever the bytes do, so that clients may cache the file for ever. */
  readonly isImmutable: boolean;
  /**
   * For a document: browsers get these in a `Link` header, and ask while the program is still on its way. A request that somebody
   * may not make is left out. Default: none.
   */
  readonly asksFirst?: readonly FirstAsk[];
  readonly body: Uint8Array;
  /** The bytes compressed with Brotli. */
  readonly br?: Uint8Array;
  readonly gzip?: Uint8Array;
}

/** All files of a page by their path, relative and without a slash in front; `index.html` is what `/` answers. */
export type Page = ReadonlyMap<string, PageFile>;

/** Loads the page at the first request, so that the start need not wait for it; `undefined` if there is none. */
export type LoadPage = () => Promise<Page | undefined>;
