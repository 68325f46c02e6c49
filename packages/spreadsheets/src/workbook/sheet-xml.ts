import { escapeXml, declaration, MAIN, type Style } from './parts.js';

/** An iterator for several callers, one after another, who each take a part of the values. */
export class Peeking<T> implements AsyncIterator<T, unknown> {
  readonly #source: AsyncIterator<T, unknown>;
  #next: Promise<IteratorResult<T, unknown>> | undefined;

  constructor(source: AsyncIterable<T>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  next(): Promise<IteratorResult<T, unknown>> {
    const next = this.#next ?? this.#source.next();
    this.#next = undefined;
    return next;
  }

  /** Whether there is another value. */
  async hasNext(): Promise<boolean> {
    this.#next ??= this.#source.next();
    return (await this.#next).done !== true;
  }

  /** Ends the source. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

/** Value of a cell: text, a number in the style of its column or in another one, or nothing. */
export type Value = string | number | Styled | undefined;

interface Styled {
  readonly number: number;
  readonly style: Style;
}

export interface SheetColumn {
  readonly title: string;
  readonly width: number;
  readonly style: Style;
}

/** Minimum length of a piece, in characters: small, so that little text is in memory at a time. */
const PIECE_LENGTH = 8_192;

/**
 * A sheet of a workbook, in pieces. Ends after `mostRows` rows, or when there are no more.
 *
 * @param rows Not closed at the end, so that the next sheet goes on with the next row.
 * @param mostRows Maximum number of rows, including the titles.
 */
export async function* sheetXml(
  rows: AsyncIterator<readonly Value[], unknown>,
  {
    columns,
    frozenColumns,
    mostRows,
  }: { columns: readonly SheetColumn[]; frozenColumns: number; mostRows: number },
): AsyncGenerator<Buffer, void, undefined> {
  const letters = columns.map((_, index) => lettersOf(index));
  let text = openingOf(columns, frozenColumns);
  const cellOf = (value: string | number, place: string, style: number): string =>
    typeof value === 'number'
      ? `<c r="${place}" s="${style}"><v>${value}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
  const titles: readonly Value[] = columns.map(({ title }) => title);
  for (let row = 1; row <= mostRows; row++) {
    const next = row === 1 ? { value: titles, done: false as const } : await rows.next();
    if (next.done === true) break;
    text += `<row r="${row}">`;
    for (const [index, value] of next.value.entries()) {
      if (value !== undefined) {
        const { number, style } =
          typeof value === 'object' ? value : { number: value, style: columns[index]?.style };
        text += cellOf(number, `${letters[index] ?? ''}${row}`, style ?? 0);
      }
      if (text.length < PIECE_LENGTH) continue;
      yield Buffer.from(text);
      text = '';
    }
    text += '</row>';
  }
  yield Buffer.from(`${text}</sheetData></worksheet>`);
}

function openingOf(columns: readonly SheetColumn[], frozen: number): string {
  const split = frozen === 0 ? '' : ` xSplit="${frozen}"`;
  const active = frozen === 0 ? 'bottomLeft' : 'bottomRight';
  const widths = columns.map(
    ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  return (
    `${declaration}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    `<pane${split} ySplit="1" topLeftCell="${lettersOf(frozen)}2" activePane="${active}" state="frozen"/>` +
    `</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${widths.join('')}</cols><sheetData>`
  );
}

/** `A` is the first column, `Z` the 26th, then `AA`. */
function lettersOf(column: number): string {
  const rest = column >= 26 ? lettersOf(Math.floor(column / 26) - 1) : '';
  return rest + String.fromCharCode(65 + (column % 26));
}
