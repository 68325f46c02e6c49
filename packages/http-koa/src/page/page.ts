import type { Action } from '@tallybook/domain/access';

/** A request that a document sends as soon as its program runs. */
export interface FirstAsk {
  /** Path relative to the document, such as `./api/today`. */
  readonly path: string;
  /** The needed action, such as `see-today`. */
  readonly needs: Action;
}

/** A file of a page, and the forms in which it may be sent. */
export interface PageFile {
  /** Value of `Content-Type`. */
  readonly type: string;
  /** Entity tag without quotes. It changes whenever the bytes change. */
  readonly etag: string;
  /** Whether the path changes whenever the bytes change, so that clients may cache the file for ever. */
  readonly isImmutable: boolean;
  /**
   * First requests of a document. Browsers get them in a `Link` header, and send them while the program is still loading.
   * Requests without the needed right are left out. Default: none.
   */
  readonly asksFirst?: readonly FirstAsk[];
  readonly body: Uint8Array;
  /** The bytes compressed with Brotli. */
  readonly br?: Uint8Array;
  readonly gzip?: Uint8Array;
}

/** All files of a page by their relative path, without a slash in front. `/` answers with `index.html`. */
export type Page = ReadonlyMap<string, PageFile>;

/** Loads the page at the first request, so that the start need not wait for it; `undefined` if there is no page. */
export type LoadPage = () => Promise<Page | undefined>;
