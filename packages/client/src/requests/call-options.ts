import type { IdFormat } from '../values/names.js';

export interface CallOptions {
  /** Ends the request, which then rejects with the kind `aborted`. */
  readonly signal?: AbortSignal;
}

export interface ReadOptions<T> extends CallOptions {
  /**
   * An earlier result of the same method. If the data has not changed, the same object is returned, and the data is not
   * sent again.
   */
  readonly known?: T | undefined;
}

export interface CsvOptions extends XlsxOptions {
  /** Character between the fields of a line. Default: by the language. */
  readonly delimiter?: 'comma' | 'semicolon' | 'tab';
  /** Whether the file begins with a byte order mark. Default: only in the profile `spreadsheet`. */
  readonly bom?: boolean;
  /**
   * `spreadsheet`: for spreadsheet programs, in which no text may become a formula or a number. `data`: for other
   * programs. Default: `spreadsheet`.
   */
  readonly profile?: 'spreadsheet' | 'data';
}

export interface XlsxOptions {
  /** `table`: people and days. `entries`: a line for each tag and day. Default: `table`. */
  readonly shape?: 'table' | 'entries';
  /** Language of the titles. Default: the language that the browser asks for. */
  readonly lang?: 'en' | 'de';
  /** Time zone of the times, such as `Europe/Berlin`. Default: the zone of the service. */
  readonly zone?: string;
  /** Whether codes replace names and tags, for statistics. Default false. */
  readonly pseudonyms?: boolean;
}

/** A list of names, as text or as a file. */
export type NameList = string | Blob | Uint8Array<ArrayBuffer>;

export interface DryRunOptions extends CallOptions {
  /** Only reports what would change. Default false. */
  readonly dryRun?: boolean;
}

export interface FormatOptions extends CallOptions {
  /** Spelling of the ids. Default: decided by the readers of the service. */
  readonly format?: IdFormat | undefined;
}

export interface ImportOptions extends DryRunOptions, FormatOptions {
  /** Encoding of the list, such as `windows-1250`. Default: detected, else guessed. */
  readonly encoding?: string | undefined;
  /** Title or number, from 1, of the columns; 0: there is none. Default: by the known titles. */
  readonly columns?: Readonly<Partial<Record<'id' | 'first' | 'last', string | number>>> | undefined;
}
