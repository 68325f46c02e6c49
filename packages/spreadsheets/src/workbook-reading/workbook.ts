import { posix } from 'node:path';
import { Archive, DAMAGED, UnreadableWorkbook } from './archive.js';
import { attributesOf, readXml } from './xml.js';

/** A sheet of a workbook. */
export interface WorkbookSheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly path: string;
}

/** A workbook: its sheets, and what their cells refer to. */
export interface Workbook {
  readonly archive: Archive;
  readonly sheets: readonly WorkbookSheet[];
  readonly strings: readonly string[];
  readonly formats: readonly NumberFormat[];
}

/** How the numbers of a style are shown. */
export interface NumberFormat {
  readonly isDate: boolean;
  /** As `1.2E+10`, which Excel chooses itself for an id such as 12E9. */
  readonly isScientific: boolean;
  /** Least number of digits: zeros come before the others. */
  readonly digits: number;
}

/** More texts, or texts that are longer together, are not of a list of names. */
const MAX_STRINGS = 200_000;
/** Excel has at most 65,490 styles. */
const MAX_STYLES = 65_536;
const MAX_SHEETS = 1_000;
/** Longer texts in cells are cut: they are no names. */
export const MAX_CELL_LENGTH = 10_001;

/**
 * Opens an untrusted workbook (XLSX, XLSM).
 *
 * @throws {UnreadableWorkbook} if it is none, or damaged.
 * @see ECMA-376, part 1, 12 and 18.
 */
export async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const archive = new Archive(bytes);
  const paths = archive.paths();
  const root = await relationsOf(archive, '');
  const path = root.find(({ type }) => type.endsWith('/officeDocument'))?.path ?? 'xl/workbook.xml';
  if (path.endsWith('.bin')) throw new UnreadableWorkbook(OTHER('a binary workbook (XLSB)'));
  if (paths.includes('content.xml')) throw new UnreadableWorkbook(OTHER('a file of LibreOffice (ODS)'));
  if (paths.some((each) => each.endsWith('.iwa'))) throw new UnreadableWorkbook(OTHER('a file of Numbers'));
  const relations = await relationsOf(archive, path);
  const sheets: WorkbookSheet[] = [];
  for await (const tokens of readXml(archive.read(path)))
    for (const token of tokens) {
      if (token.kind !== 'open' || token.name !== 'sheet') continue;
      const values = attributesOf(token.attributes);
      const relation = relations.find(({ id }) => id === values.get('id'));
      // Sheets with only a diagram have another type.
      if (relation?.type.endsWith('/worksheet') !== true) continue;
      if (sheets.length >= MAX_SHEETS) throw new UnreadableWorkbook(DAMAGED);
      const state = values.get('state') ?? 'visible';
      sheets.push({
        name: values.get('name') ?? '',
        isHidden: state !== 'visible',
        path: relation.path,
      });
    }
  if (sheets.length === 0) throw new UnreadableWorkbook(DAMAGED);
  const pathOf = (type: string): string | undefined =>
    relations.find((relation) => relation.type.endsWith(type))?.path;
  return {
    archive,
    sheets,
    strings: await stringsOf(archive, pathOf('/sharedStrings')),
    formats: await formatsOf(archive, pathOf('/styles')),
  };
}

const OTHER = (what: string): string => `this is ${what}; save the table as XLSX or CSV`;

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly path: string;
}

/** What a file of the archive refers to; that of the archive itself has the path ''. */
async function relationsOf(archive: Archive, path: string): Promise<readonly Relation[]> {
  const folder = posix.dirname(path);
  const relations: Relation[] = [];
  for await (const tokens of readXml(
    archive.read(posix.join(folder, '_rels', `${posix.basename(path)}.rels`)),
  ))
    for (const token of tokens) {
      if (token.kind !== 'open' || token.name !== 'Relationship') continue;
      const values = attributesOf(token.attributes);
      const [id = '', type = '', target = ''] = ['Id', 'Type', 'Target'].map((name) => values.get(name));
      if (relations.length >= MAX_SHEETS) throw new UnreadableWorkbook(DAMAGED);
      relations.push({ id, type, path: target.startsWith('/') ? target : posix.join(folder, target) });
    }
  return relations;
}

/** The shared texts, to which cells refer by their place. A text may have runs with formats, and furigana, which is left out. */
async function stringsOf(archive: Archive, path: string | undefined): Promise<readonly string[]> {
  const strings: string[] = [];
  if (path === undefined) return strings;
  const text = new TextOfRuns();
  for await (const tokens of readXml(archive.read(path)))
    for (const token of tokens) {
      if (token.kind === 'open' && token.name === 'si') text.clear();
      text.take(token);
      if (token.kind !== 'close' || token.name !== 'si') continue;
      if (strings.push(text.text) > MAX_STRINGS)
        throw new UnreadableWorkbook(
          `the workbook has more than ${MAX_STRINGS} texts; save the table as CSV`,
        );
    }
  return strings;
}

/** Collects the text of a cell: that of its `t` elements. */
export class TextOfRuns {
  #text = '';
  #isText = false;
  #isPhonetic = false;

  get text(): string {
    return unescapeCharacters(this.#text);
  }

  clear(): void {
    this.#text = '';
  }

  take(token: { readonly kind: string; readonly name?: string; readonly text?: string }): void {
    if (token.kind !== 'text') {
      if (token.name === 't') this.#isText = token.kind === 'open';
      if (token.name === 'rPh') this.#isPhonetic = token.kind === 'open';
    } else if (this.#isText && !this.#isPhonetic && this.#text.length < MAX_CELL_LENGTH)
      this.#text = (this.#text + (token.text ?? '')).slice(0, MAX_CELL_LENGTH);
  }
}

/** Programs write a character that XML does not have, and a `_x` that would look so, as `_x000D_`. */
export function unescapeCharacters(text: string): string {
  return text.includes('_x')
    ? text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;
}

/** The formats of the styles of cells, in their order. */
async function formatsOf(archive: Archive, path: string | undefined): Promise<readonly NumberFormat[]> {
  const formats: NumberFormat[] = [];
  if (path === undefined) return formats;
  const codes = new Map<string, string>();
  let isOfCells = false;
  for await (const tokens of readXml(archive.read(path)))
    for (const token of tokens) {
      if (token.kind === 'text') continue;
      if (token.name === 'cellXfs') isOfCells = token.kind === 'open';
      if (token.kind === 'close') continue;
      if (token.name !== 'numFmt' && token.name !== 'xf') continue;
      if (codes.size + formats.length >= MAX_STYLES) throw new UnreadableWorkbook(DAMAGED);
      const values = attributesOf(token.attributes);
      const id = values.get('numFmtId') ?? '0';
      if (token.name === 'numFmt') codes.set(id, values.get('formatCode') ?? '');
      else if (isOfCells) formats.push(formatOf(Number(id), codes.get(id)));
    }
  return formats;
}

/** Formats that have no code in the file, ECMA-376, part 1, 18.8.30; those from 27 on are of East Asia. */
const isDateId = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
const SCIENTIFIC_IDS = [11, 48];

function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined)
    return { isDate: isDateId(id), isScientific: SCIENTIFIC_IDS.includes(id), digits: 0 };
  // Without texts, single characters that are only shown, and conditions, colours and currencies.
  const bare = code.replaceAll(/"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  const isScientific = /[0#?]E[+-]/i.test(bare);
  return {
    isDate: !isScientific && /[ymdhs]/i.test(bare.replaceAll(/general|standard/gi, '')),
    isScientific,
    digits: /^0{2,32}(?:;|$)/.exec(bare)?.[0].replace(';', '').length ?? 0,
  };
}
