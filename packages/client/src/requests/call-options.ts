export interface CallOptions {
  /** Ends the request, which then rejects with the kind `aborted`. */
  readonly signal?: AbortSignal;
}

export interface ReadOptions<T> extends CallOptions {
  /**
   * What the same method returned before. If it has not changed, the same object is returned and its content is not sent
   * again.
   */
  readonly known?: T | undefined;
}

export interface CsvOptions extends XlsxOptions {
  /** Between the fields of a line. Default: by the language. */
  readonly delimiter?: 'comma' | 'semicolon' | 'tab';
  /** Whether the file begins with a byte order mark. Default: in the profile `spreadsheet`. */
  readonly bom?: boolean;
  /** For spreadsheets, where no text may become a formula or a number, or for programs. Default: `spreadsheet`. */
  readonly profile?: 'spreadsheet' | 'data';
}

export interface XlsxOptions {
  /** People and days, or a line for each tag and day. Default: `table`. */
  readonly shape?: 'table' | 'entries';
  /** Language of the titles. Default: as the browser asks for. */
  readonly lang?: 'en' | 'de';
  /** Time zone of the times, such as `Europe/Berlin`. Default: the zone of the service. */
  readonly zone?: string;
  /** Whether codes stand in the place of names and tags, for statistics. Default false. */
  readonly pseudonyms?: boolean;
}

/** A list of names, as text or as a file. */
export type NameList = string | Blob | Uint8Array<ArrayBuffer>;

export interface DryRunOptions extends CallOptions {
  /** Only reports what would change. Default false. */
  readonly dryRun?: boolean;
}

export type ImportOptions = DryRunOptions;
