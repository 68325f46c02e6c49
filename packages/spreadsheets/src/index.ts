export { decodeText } from './decode-text.js';
export { readNameList } from './name-list/read-name-list.js';
