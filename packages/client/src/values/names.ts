/** 6 to 20 upper-case hex digits, the bytes of a tag. Requests may have them in either case and with `:`, `-` or a space. */
export type TallyId = string;

/** Name of the holder of a tag. At least one part is not empty; each has at most 100 characters. */
export interface Name {
  readonly first: string;
  readonly last: string;
}

/** All names by tag. JavaScript puts ids that look like array indices (`1000000000`) first. */
export type Mapping = Readonly<Record<TallyId, Name>>;

/** Numbers of tags that got a name, got another name, or lost their name. */
export interface NameCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Spelling of ids. */
export type IdFormat =
  | 'hex'
  | 'hex-xor'
  | 'dec'
  | 'dec8'
  | 'dec10'
  | 'dec13'
  | 'dec3-5'
  | 'dec5-5'
  | 'wiegand26'
  | 'text';

/** The latest scan of a tag. */
export interface LastSeen {
  readonly at: number;
  readonly day: number;
  /** Absent if this scan is not among the latest changes of the journal. */
  readonly reader?: string;
}

/** One way to read a typed text, and what is known of the tag. */
export interface IdReading {
  readonly id: TallyId;
  /** Spelling in which the text was read. */
  readonly format: IdFormat;
  readonly name: Name | null;
  readonly lastSeen: LastSeen | null;
}

/** The tags that a typed text may mean. */
export interface IdReadings {
  /** One is the tag that is meant; of several, a person must choose. */
  readonly readings: readonly IdReading[];
  /** Spellings of the readers of the service. */
  readonly formats: readonly IdFormat[];
}

/** A tag with scans but without a name. */
export interface UnnamedTag {
  readonly id: TallyId;
  /** The last scan. */
  readonly at: number;
  /** The day of the last scan. */
  readonly day: number;
  /** Number of scans on the requested days. */
  readonly scans: number;
  /** The reader of the last scan; absent if this scan is not among the latest changes of the journal. */
  readonly reader?: string;
}

/** Result of the import of a list of names, or of its dry run. */
export interface ImportReport {
  readonly dryRun: boolean;
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  readonly changes: readonly NameChange[];
  /** The refused lines. Only a dry run returns any; an import with refused lines rejects and writes nothing. */
  readonly refused: readonly RefusedLine[];
  readonly reading: ListReading;
}

/** How a list of names was read. */
export interface ListReading {
  readonly encoding: string;
  /** Possible encodings, the best one first. Empty if the encoding is certain or was chosen. */
  readonly guesses: readonly EncodingGuess[];
  /** Titles of the columns, else the first row. */
  readonly titles: readonly string[];
  /** Number of each column, from 1; `null` if the list has none. */
  readonly columns: Readonly<Record<'id' | 'first' | 'last', number | null>>;
  /** Number of persons without a tag. They are left out. */
  readonly withoutTag: number;
  /** For people, in the language that the browser prefers, English or German: what was guessed and left out. */
  readonly remarks: readonly string[];
}

/** An encoding in which a list may be, with words of the list in it. */
export interface EncodingGuess {
  readonly encoding: string;
  readonly words: readonly string[];
}

/** The change by a line of a list. */
export interface NameChange {
  /** From 1. */
  readonly line: number;
  readonly id: TallyId;
  readonly before: Name | null;
  readonly after: Name;
  /** The id as it is written in the list; absent if it was read as hex. */
  readonly text?: string;
  /** The spelling in which `text` was read. */
  readonly format?: IdFormat;
  /** Only in a dry run, with `text`, if the tag was read before. */
  readonly lastSeen?: LastSeen;
}

/** A refused line of a list, and the reason. */
export interface RefusedLine {
  /** From 1. */
  readonly line: number;
  /** Stable. */
  readonly code: string;
  /** For people. */
  readonly message: string;
  /** What the id may mean, with the code `AMBIGUOUS_TALLY_ID`: import the list again with a format. */
  readonly readings?: readonly Pick<IdReading, 'id' | 'format'>[];
}
