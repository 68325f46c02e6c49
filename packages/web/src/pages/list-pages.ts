// The pages about lists of persons and the tags of those who are in them, which are loaded together.
export { EnrolPage } from './enrol/enrol-page.js';
export { ImportPage } from './import/import-page.js';
