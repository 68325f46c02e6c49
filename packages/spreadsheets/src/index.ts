export { entriesSheet, tableSheet, type Wording } from './attendance-sheets.js';
export { delimiters, writeCsv, type CsvOptions, type Delimiter, type Profile } from './csv.js';
export { encodings, type Encoding, type Guess } from './encodings.js';
export { readNameList, type ListChoices, type NameListLines } from './name-list/read-name-list.js';
export { remarksOf, type LeftOut, type ListReading } from './name-list/remarks.js';
export { unguardFormula, type Cell, type Column, type Moment, type Sheet } from './sheet.js';
export { dataTexts, languages, textsOf, type Language, type Texts } from './texts.js';
export { writeXlsx, type XlsxOptions } from './xlsx.js';
