export { decodeText } from './decode-text.js';
