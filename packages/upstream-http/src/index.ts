export { parseCentreUrl } from './centre-url.js';
export { HttpSyncTransport, type HttpSyncTransportOptions } from './http-sync-transport.js';
