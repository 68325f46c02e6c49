export { entriesSheet, tableSheet, type Wording } from './attendance-sheets.js';
export { delimiters, writeCsv, type CsvOptions, type Delimiter, type Profile } from './csv.js';
export { readNameList } from './name-list/read-name-list.js';
export { unguardFormula } from './formula-guard.js';
export type { Cell, Column, Moment, Sheet } from './sheet.js';
export { dataTexts, languages, textsOf, type Language, type Texts } from './texts.js';
export { writeXlsx, type XlsxOptions } from './xlsx.js';
