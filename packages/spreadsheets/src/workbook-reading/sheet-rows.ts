import { UnreadableWorkbook } from './archive.js';
import { MAX_CELL_LENGTH, TextOfRuns, unescapeCharacters } from './workbook.js';
import type { NumberFormat, Workbook, WorkbookSheet } from './workbook.js';
import { attributesOf, readXml, type XmlToken } from './xml.js';

/** What a program has made of a cell; then its text is not what a person wrote. */
export type Fault = 'number' | 'date' | 'error';

/** A row with a value. Lines count from 1, as the spreadsheet program shows them. */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** By the index of the cell. */
  readonly faults: ReadonlyMap<number, Fault>;
}

/** Columns beyond these are not read. */
const MAX_CELLS = 1_000;
/** All text in a sheet: cells may share texts, so a small file may have much of it. */
const MAX_TEXT = 8_388_608;

/** The rows of a sheet that have values, in order. Formulas have the value that was last calculated. */
export async function* rowsOf(
  { archive, strings, formats }: Workbook,
  { path }: WorkbookSheet,
): AsyncGenerator<SheetRow, void, undefined> {
  const reader = new RowReader(strings, formats);
  for await (const tokens of readXml(archive.read(path)))
    for (const token of tokens) {
      const row = reader.take(token);
      if (row !== undefined) yield row;
    }
}

class RowReader {
  readonly #strings: readonly string[];
  readonly #formats: readonly NumberFormat[];
  readonly #runs = new TextOfRuns();
  #line = 0;
  #cells: string[] = [];
  #faults = new Map<number, Fault>();
  #index = -1;
  #type = 'n';
  #format: NumberFormat | undefined;
  #value = '';
  #isValue = false;
  #textLeft = MAX_TEXT;

  constructor(strings: readonly string[], formats: readonly NumberFormat[]) {
    this.#strings = strings;
    this.#formats = formats;
  }

  /** Takes a token; gives a row at its end, if it has a value. */
  take(token: XmlToken): SheetRow | undefined {
    this.#runs.take(token);
    if (token.kind === 'text') {
      if (this.#isValue && this.#value.length < MAX_CELL_LENGTH)
        this.#value = (this.#value + token.text).slice(0, MAX_CELL_LENGTH);
      return undefined;
    }
    const isOpen = token.kind === 'open';
    if (token.name === 'v') this.#isValue = isOpen;
    if (isOpen && token.name === 'row') this.#openRow(attributesOf(token.attributes));
    if (isOpen && token.name === 'c') this.#openCell(attributesOf(token.attributes));
    if (!isOpen && token.name === 'c') this.#closeCell();
    if (isOpen || token.name !== 'row' || (this.#cells.length === 0 && this.#faults.size === 0))
      return undefined;
    return { line: this.#line, cells: this.#cells, faults: this.#faults };
  }

  #openRow(values: ReadonlyMap<string, string>): void {
    const line = Number(values.get('r') ?? this.#line + 1);
    this.#line = Number.isSafeInteger(line) && line > 0 ? line : this.#line + 1;
    this.#cells = [];
    this.#faults = new Map();
    this.#index = -1;
  }

  #openCell(values: ReadonlyMap<string, string>): void {
    const letters = /^[A-Z]{1,3}(?=\d*$)/i.exec(values.get('r') ?? '')?.[0];
    // Some programs do not write where a cell is, if there is no gap before it.
    this.#index = letters === undefined ? this.#index + 1 : columnOf(letters);
    this.#type = values.get('t') ?? 'n';
    this.#format = this.#formats[Number(values.get('s') ?? 0)];
    this.#value = '';
    this.#runs.clear();
  }

  #closeCell(): void {
    if (this.#index < 0 || this.#index >= MAX_CELLS) return;
    const { text, fault } = this.#read();
    if (fault !== undefined) this.#faults.set(this.#index, fault);
    if (text === '') return;
    this.#textLeft -= text.length;
    if (this.#textLeft < 0)
      throw new UnreadableWorkbook(`the sheet has more than ${MAX_TEXT} characters; save the table as CSV`);
    while (this.#cells.length < this.#index) this.#cells.push('');
    this.#cells[this.#index] = text;
  }

  #read(): { readonly text: string; readonly fault?: Fault } {
    const value = this.#value;
    switch (this.#type) {
      case 'inlineStr':
        return { text: this.#runs.text };
      case 's':
        return { text: this.#strings[value.trim() === '' ? -1 : Number(value)] ?? '' };
      case 'str':
        return { text: unescapeCharacters(value) };
      case 'b':
        return { text: value.trim() === '1' ? 'TRUE' : 'FALSE' };
      case 'e':
        return { text: '', fault: 'error' };
      case 'd':
        return { text: '', fault: 'date' };
      default:
        return readNumber(value.trim(), this.#format);
    }
  }
}

/** Excel keeps 15 digits of a number; larger ones end with zeros. */
const EXACT_BELOW = 1e15;

/** The digits of a whole number, as they are shown. Others are not ids. */
function readNumber(
  value: string,
  { isDate, isScientific, digits }: NumberFormat = { isDate: false, isScientific: false, digits: 0 },
): { readonly text: string; readonly fault?: Fault } {
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) return { text: value };
  if (isDate) return { text: '', fault: 'date' };
  if (isScientific || !Number.isInteger(number)) return { text: String(number), fault: 'number' };
  const text = String(BigInt(number)).padStart(digits, '0');
  const isRounded = Math.abs(number) >= EXACT_BELOW && (!Number.isSafeInteger(number) || number % 10 === 0);
  return isRounded ? { text, fault: 'number' } : { text };
}

/** `A` is 0. */
function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
