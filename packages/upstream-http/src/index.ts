export { parseCentreUrl } from './centre-url.js';
export { HttpSyncTransport, type HttpSyncTransportOptions } from './http-sync-transport.js';
export { isOpenToOthers, tokenFile } from './token-file.js';
