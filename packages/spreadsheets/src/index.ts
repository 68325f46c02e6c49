export { entriesSheet, tableSheet, type Wording } from './attendance-sheets.js';
export { delimiters, writeCsv, type CsvOptions, type Delimiter, type Profile } from './csv.js';
export { encodings, type Encoding, type Guess } from './encodings.js';
export { readNameList, type ListChoices, type NameListLines } from './name-list/read-name-list.js';
export type { LeftOut, ListReading } from './name-list/reading.js';
export { unguardFormula } from './formula-guard.js';
export type { Cell, Column, Moment, Sheet } from './sheet.js';
export { dataTexts, languages, textsOf, type Language, type Texts } from './texts.js';
export { writeXlsx, type XlsxOptions } from './xlsx.js';
