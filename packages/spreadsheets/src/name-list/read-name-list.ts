import type { ListRow } from '@tallybook/domain/record';
import { decodeText } from '../decode-text.js';
import type { Encoding } from '../encodings.js';
import { NO_COLUMNS, Unreadable, type ColumnChoices } from './columns.js';
import { readCsv } from './csv-lines.js';
import { readJsonLines } from './json-lines.js';
import { refuse, type ListReading } from './remarks.js';
import { readWorkbook } from './workbook-lines.js';

/** First bytes of an archive, as present spreadsheet programs write them. */
const ARCHIVE = [0x50, 0x4b, 0x03, 0x04];
/** First bytes of older files of Excel, and of workbooks with a password. */
const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0];

/** Choices of the person who has the list. What is not chosen is detected. */
export interface ListChoices extends ColumnChoices {
  /** Of a text. */
  readonly encoding?: Encoding | undefined;
  /** Of a workbook: the name of a sheet, or its number from 1. Default: the first one that is not hidden. */
  readonly sheet?: string | undefined;
}

/** The rows of a list, and how they are read. */
export interface NameListLines extends AsyncIterable<ListRow> {
  /** Complete when the rows are read. */
  readonly reading: ListReading;
}

/**
 * Reads a list of persons as people save it: a workbook (XLSX), CSV with any usual separator and encoding, with or without
 * column names in English, German, French, Italian, Spanish, Dutch or Polish, or JSON Lines. The format is recognised from
 * the file itself.
 *
 * Each row is a person; with or without a tag. Its content is not checked. An unreadable row comes refused, with
 * `INVALID_NAME_LIST`; so does the whole list, in one row, if it cannot be told what its columns are: then the reading has
 * questions. Rows of nobody, such as a sum, are left out and counted. Other work has its turn every few milliseconds.
 */
export function readNameList(
  bytes: Uint8Array,
  { encoding, sheet, ...choices }: ListChoices = {},
): NameListLines {
  const startsWith = (start: readonly number[]): boolean =>
    start.every((byte, index) => bytes[index] === byte);
  const isWorkbook = startsWith(ARCHIVE);
  const { text, ...decoded } = decodeText(isWorkbook ? new Uint8Array() : bytes, encoding);
  const reading: ListReading = {
    ...{ ...decoded, sheets: [], sheet: undefined, titles: [], hasTitles: false },
    ...{ columns: NO_COLUMNS, questions: [], unused: [], leftOut: [] },
  };
  function read(): AsyncIterable<ListRow> {
    if (isWorkbook) return readWorkbook(bytes, sheet, choices, reading);
    return text.trimStart().startsWith('{')
      ? readJsonLines(text, choices, reading)
      : readCsv(text, choices, reading);
  }
  async function* rows(): AsyncGenerator<ListRow, void, undefined> {
    if (startsWith(OLD_WORKBOOK)) {
      yield refuse(
        1,
        'this is an old file of Excel (XLS), or one with a password; save the table as XLSX without a password, or as CSV',
      );
      return;
    }
    let isEmpty = true;
    try {
      for await (const row of read()) {
        isEmpty = false;
        yield row;
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      reading.questions.push(...error.questions);
      yield refuse(1, error.message);
      return;
    }
    if (isEmpty) yield refuse(1, 'the list has no names');
  }
  return { reading, [Symbol.asyncIterator]: rows };
}
