// The pages about the record, which are loaded together: one import for all is smaller than one for each.
export { CorrectionsPage } from './corrections-page.js';
export { DaysPage } from './days/days-page.js';
export { PhoneReaderPage } from './phone-reader/phone-reader-page.js';
