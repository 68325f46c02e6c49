import { printable, quote } from '@tallybook/domain';
import type { RefusedLine } from '@tallybook/domain/record';
import type { Encoding, Guess } from '../encodings.js';
import type { ColumnQuestion, Columns } from './columns.js';
import type { Language } from '../texts.js';

/** Refuses a line that cannot be read. */
export function refuse(line: number, message: string): RefusedLine {
  return { line, code: 'INVALID_NAME_LIST', message };
}

/**
 * Maximum number of characters of a line: a name has a few hundred bytes, so a longer line is not in a list of names.
 */
export const LINE_MAX_LENGTH = 10_000;

export const TOO_LONG: string = `is longer than ${LINE_MAX_LENGTH} characters`;

/** A line that is not of a person, such as a heading or a sum. */
export interface LeftOut {
  readonly line: number;
  readonly text: string;
}

/** How a list was read. It grows while the list is read. */
export interface ListReading {
  /** Of a text. The text in a workbook is always UTF-8. */
  readonly encoding: Encoding;
  /** Empty if the encoding is certain or was chosen; else all guesses, the best one first. */
  readonly guesses: readonly Guess[];
  /** Words with letters that do not stand together in any language, as of another encoding. */
  readonly doubtful: readonly string[];
  /** Names of the sheets of a workbook that are not hidden. Empty if the list is not a workbook. */
  sheets: readonly string[];
  /** The name of the sheet that was read. */
  sheet: string | undefined;
  /** The titles of the columns, else the first row. */
  titles: readonly string[];
  /** Whether the columns were told by their titles. */
  hasTitles: boolean;
  columns: Columns;
  /** Columns that cannot be told. If there are any, they must be chosen first. */
  readonly questions: ColumnQuestion[];
  /** Titles of columns that are not used. */
  readonly unused: string[];
  readonly leftOut: LeftOut[];
}

interface Words {
  readonly guessed: (encoding: string, words: string) => string;
  readonly doubtful: (words: string) => string;
  readonly sheet: (name: string, others: string) => string;
  readonly taken: (title: string) => string;
  readonly unused: (titles: string) => string;
  readonly leftOut: (lines: string) => string;
  readonly line: string;
}

const wordsOf: Readonly<Record<Language, Words>> = {
  en: {
    guessed: (encoding, words) =>
      `The file does not name its encoding. It was read as ${encoding}: ${words}. If letters are wrong, choose another encoding.`,
    doubtful: (words) =>
      `These letters look wrong: ${words}. The file has another encoding, or a program has spoilt it.`,
    sheet: (name, others) => `The sheet ${name} was read. Others in the file: ${others}.`,
    taken: (title) => `The tag is taken from the column ${title}.`,
    unused: (titles) => `Not used: ${titles}.`,
    leftOut: (lines) => `Left out, because they are not of a person: ${lines}.`,
    line: 'line',
  },
  de: {
    guessed: (encoding, words) =>
      `Die Datei nennt ihre Kodierung nicht. Sie wurde als ${encoding} gelesen: ${words}. Sind Buchstaben falsch, wählen Sie eine andere Kodierung.`,
    doubtful: (words) =>
      `Diese Buchstaben sehen falsch aus: ${words}. Die Datei hat eine andere Kodierung, oder ein Programm hat sie verdorben.`,
    sheet: (name, others) => `Gelesen wurde das Blatt ${name}. Weitere in der Datei: ${others}.`,
    taken: (title) => `Der Chip steht in der Spalte ${title}.`,
    unused: (titles) => `Nicht verwendet: ${titles}.`,
    leftOut: (lines) => `Ausgelassen, weil darin keine Person steht: ${lines}.`,
    line: 'Zeile',
  },
};

/** What a person should know about how a list was read, before it is imported. The texts may hold names. */
export function remarksOf(reading: ListReading, language: Language = 'en'): readonly string[] {
  const { titles, columns, unused, doubtful, leftOut } = reading;
  const [guess] = reading.guesses;
  const words = wordsOf[language];
  const taken = reading.hasTitles ? columns.ids.map((index) => quote(titles[index])) : [];
  const columnRemarks = [
    ...(taken.length === 0 ? [] : [words.taken(someOf(taken))]),
    words.unused(someOf(unused.map(quote))),
  ];
  const others = reading.sheets.filter((name) => name !== reading.sheet).map(quote);
  return [
    ...(reading.sheet === undefined || others.length === 0
      ? []
      : [words.sheet(quote(reading.sheet), someOf(others))]),
    ...(guess === undefined ? [] : [words.guessed(guess.encoding, someOf(guess.words.map(printable)))]),
    ...(doubtful.length === 0 ? [] : [words.doubtful(someOf(doubtful.map(printable)))]),
    ...(unused.length === 0 ? [] : [columnRemarks.join(' ')]),
    ...(leftOut.length === 0
      ? []
      : [words.leftOut(someOf(leftOut.map(({ line, text }) => `${words.line} ${line} ${quote(text)}`)))]),
  ];
}

const MOST_SHOWN = 5;

export function someOf(texts: readonly string[]): string {
  return [...texts.slice(0, MOST_SHOWN), ...(texts.length > MOST_SHOWN ? ['…'] : [])].join(', ');
}
