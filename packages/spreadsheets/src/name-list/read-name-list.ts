import type { ListedName } from '@tallybook/domain';
import { decodeText } from '../decode-text.js';
import { readCsv } from './csv-lines.js';
import { refuse } from './refuse.js';
import { readJsonLines } from './json-lines.js';

/**
 * First bytes of files of spreadsheet programs: of archives, as present programs write them, and of older files of
 * Excel.
 */
const OF_SPREADSHEETS = ['PK\u0003\u0004', 'ÐÏ\u0011à'];

/**
 * Reads a list of names as people save it: CSV with any usual separator and encoding, with or without a first line of
 * column names in English or German, or JSON Lines. The format is recognised from the file itself.
 *
 * The content of a line is not checked. An unreadable line comes refused, with `INVALID_NAME_LIST`. Other work has its
 * turn every few milliseconds.
 */
export async function* readNameList(bytes: Uint8Array): AsyncGenerator<ListedName, void, undefined> {
  let isEmpty = true;
  for await (const listed of readLines(decodeText(bytes))) {
    isEmpty = false;
    yield listed;
  }
  if (isEmpty) yield refuse(1, 'the list has no names');
}

function readLines(text: string): AsyncIterable<ListedName> | Iterable<ListedName> {
  if (OF_SPREADSHEETS.some((start) => text.startsWith(start))) {
    return [refuse(1, 'this is a file of a spreadsheet program; save the table as CSV')];
  }
  return text.trimStart().startsWith('{') ? readJsonLines(text) : readCsv(text);
}
