const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes text for XML content. Characters that XML cannot hold, and that stored names may have, become U+FFFD. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- The pattern looks for control characters.
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]/g, '\uFFFD')
      .replace(/[&<>]/g, (character) => entities[character] ?? '')
  );
}

export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Index of the style for each kind of column. */
export const styles = { text: 0, number: 1, date: 2, time: 3 } as const;
export type Style = (typeof styles)[keyof typeof styles];

/** Number formats in the order of {@link styles}. The ISO form is the same in every language. */
const FORMATS = [
  { id: 0, code: undefined },
  { id: 1, code: undefined },
  { id: 164, code: 'yyyy-mm-dd' },
  { id: 165, code: 'hh:mm:ss' },
];

/** Maximum number of characters in the name of a sheet. */
const NAME_MAX = 31;

export function sheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`;
}

/**
 * The parts of a workbook other than its sheets, by path.
 *
 * @see ECMA-376, part 1, 12.3.
 */
export function partsOf(name: string, sheetCount: number): Readonly<Record<string, string>> {
  const numbers = Array.from({ length: sheetCount }, (_, index) => index + 1);
  const sheets = numbers.map(
    (number) => `<sheet name="${nameOf(name, number)}" sheetId="${number}" r:id="rId${number}"/>`,
  );
  const relations = [
    ...numbers.map((number) => relation(number, 'worksheet', `worksheets/sheet${number}.xml`)),
    relation(sheetCount + 1, 'styles', 'styles.xml'),
  ];
  const types = [
    override('xl/workbook.xml', 'sheet.main'),
    override('xl/styles.xml', 'styles'),
    ...numbers.map((number) => override(sheetPath(number), 'worksheet')),
  ];
  return {
    'xl/styles.xml': stylesXml(),
    'xl/workbook.xml': `${declaration}<workbook xmlns="${MAIN}" xmlns:r="${RELATION}"><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(relations),
    '_rels/.rels': relationships([relation(1, 'officeDocument', 'xl/workbook.xml')]),
    '[Content_Types].xml':
      `${declaration}<Types xmlns="${PACKAGE}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/>${types.join('')}</Types>`,
  };
}

function nameOf(name: string, number: number): string {
  const end = number === 1 ? '' : ` ${number}`;
  return escapeXml(name.slice(0, NAME_MAX - end.length) + end).replaceAll('"', '&quot;');
}

function relationships(relations: readonly string[]): string {
  return `${declaration}<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}</Relationships>`;
}

function relation(number: number, type: string, target: string): string {
  return `<Relationship Id="rId${number}" Type="${RELATION}/${type}" Target="${target}"/>`;
}

function override(path: string, type: string): string {
  return `<Override PartName="/${path}" ContentType="${TYPE}.${type}+xml"/>`;
}

function stylesXml(): string {
  const formats = FORMATS.flatMap(({ id, code }) =>
    code === undefined ? [] : `<numFmt numFmtId="${id}" formatCode="${code}"/>`,
  );
  const cells = FORMATS.map(
    ({ id }) =>
      `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0"${id === 0 ? '' : ' applyNumberFormat="1"'}/>`,
  );
  return (
    `${declaration}<styleSheet xmlns="${MAIN}">` +
    `<numFmts count="${formats.length}">${formats.join('')}</numFmts>` +
    `<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>` +
    `<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
    `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
    `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>` +
    `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
  );
}
