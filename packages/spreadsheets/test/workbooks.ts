import { zipSync } from 'fflate';

/** What a workbook has beside the rows of its first sheet. */
export interface Parts {
  /** Elements before and after the rows. */
  readonly head?: string;
  readonly tail?: string;
  readonly state?: string;
  /** Content of the shared texts, and of the styles. */
  readonly shared?: string;
  readonly styles?: string;
  readonly further?: readonly { readonly name: string; readonly rows: string; readonly state?: string }[];
  /** Replace all files. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook of XML written by hand, as spreadsheet programs write it. */
export function workbook(rows: string, parts: Parts = {}): Uint8Array {
  const sheets = [{ name: 'Sheet 1', rows, state: parts.state }, ...(parts.further ?? [])];
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${types}/${type}" Target="${target}"/>`;
  const files = parts.files ?? {
    '_rels/.rels': `${declaration}<Relationships>${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml':
      `${declaration}<workbook ${main} xmlns:r="${types}"><sheets>` +
      sheets
        .map(
          ({ name, state }, n) =>
            `<sheet name="${name}" sheetId="${n + 5}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${n + 1}"/>`,
        )
        .join('') +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships>${sheets
      .map((_, n) => relation(n + 1, 'worksheet', `worksheets/sheet${n + 1}.xml`))
      .join(
        '',
      )}${relation(90, 'sharedStrings', 'sharedStrings.xml')}${relation(91, 'styles', './styles.xml')}</Relationships>`,
    ...Object.fromEntries(
      sheets.map((sheet, n) => [
        `xl/worksheets/sheet${n + 1}.xml`,
        `${declaration}<worksheet ${main}>${n === 0 ? (parts.head ?? '') : ''}<sheetData>${sheet.rows}</sheetData>${n === 0 ? (parts.tail ?? '') : ''}</worksheet>`,
      ]),
    ),
    ...(parts.shared !== undefined && {
      'xl/sharedStrings.xml': `${declaration}<sst ${main}>${parts.shared}</sst>`,
    }),
    ...(parts.styles !== undefined && {
      'xl/styles.xml': `${declaration}<styleSheet ${main}>${parts.styles}</styleSheet>`,
    }),
  };
  return zipOf(files);
}

export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const bytes = Object.entries(files).map(([path, file]) => [path, Buffer.from(file)] as const);
  return zipSync(Object.fromEntries(bytes));
}
