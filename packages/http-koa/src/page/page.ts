/** A file of a page, and the forms in which it may be sent. */
export interface PageFile {
  /** For `Content-Type`. */
  readonly type: string;
  /** Another text whenever the bytes are others, without quotes. */
  readonly etag: string;
  /** Whether the path is another one whenever the bytes are others, so that nobody ever has to ask again. */
  readonly isImmutable: boolean;
  readonly body: Uint8Array;
  /** The same, compressed. */
  readonly br?: Uint8Array;
  readonly gzip?: Uint8Array;
}

/** All files of a page by their path, relative and without a slash in front; `index.html` is what `/` answers. */
export type Page = ReadonlyMap<string, PageFile>;

/** Gives the page when it is asked for first, so that a start need not wait for it; `undefined` if there is none. */
export type LoadPage = () => Promise<Page | undefined>;
