import type { ListedName } from '@tallybook/domain/record';
import { decodeText } from '../decode-text.js';
import type { Encoding } from '../encodings.js';
import type { ColumnChoices } from './columns.js';
import { readCsv } from './csv-lines.js';
import { readJsonLines } from './json-lines.js';
import { refuse, type ListReading } from './remarks.js';

/**
 * First bytes of files of spreadsheet programs: of archives, as present programs write them, and of older files of
 * Excel.
 */
const OF_SPREADSHEETS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Choices of the person who has the list. What is not chosen is detected. */
export interface ListChoices extends ColumnChoices {
  readonly encoding?: Encoding | undefined;
}

/** The lines of a list, and how they are read. */
export interface NameListLines extends AsyncIterable<ListedName> {
  /** Complete when the lines are read. */
  readonly reading: ListReading;
}

/**
 * Reads a list of names as people save it: CSV with any usual separator and encoding, with or without column names in
 * English, German, French, Italian, Spanish, Dutch or Polish, or JSON Lines. The format is recognised from the file itself.
 *
 * The content of a line is not checked. An unreadable line comes refused, with `INVALID_NAME_LIST`. Persons without a tag
 * and lines of nobody, such as a sum, are left out and counted. Other work has its turn every few milliseconds.
 */
export function readNameList(bytes: Uint8Array, { encoding, ...choices }: ListChoices = {}): NameListLines {
  const { text, ...decoded } = decodeText(bytes, encoding);
  const reading: ListReading = {
    ...{ ...decoded, titles: [], hasTitles: false, unused: [], withoutTag: 0, leftOut: [] },
    columns: { id: undefined, first: undefined, last: undefined },
  };
  const isOfSpreadsheet = OF_SPREADSHEETS.some((start) =>
    start.every((byte, index) => bytes[index] === byte),
  );
  async function* lines(): AsyncGenerator<ListedName, void, undefined> {
    if (isOfSpreadsheet) {
      yield refuse(1, 'this is a file of a spreadsheet program; save the table as CSV');
      return;
    }
    let isEmpty = true;
    const read = text.trimStart().startsWith('{') ? readJsonLines : readCsv;
    for await (const listed of read(text, choices, reading)) {
      isEmpty = false;
      yield listed;
    }
    if (isEmpty)
      yield refuse(1, reading.withoutTag > 0 ? 'nobody in the list has a tag' : 'the list has no names');
  }
  return { reading, [Symbol.asyncIterator]: lines };
}
