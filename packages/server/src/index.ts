export { SystemClock } from '@tallybook/clock-system';
export { runCommandLine } from './command-line.js';
export {
  defaultSettings,
  loadConfig,
  logLevels,
  type Config,
  type LogLevel,
  type Settings,
} from './config.js';
export {
  createContainer,
  domainModule,
  httpModule,
  outputsModule,
  readersModule,
  serverModule,
  serviceId,
  storeModule,
  systemModule,
  type Services,
} from './container.js';
export { HttpListener, type HttpListenerOptions } from './http-listener.js';
export { createLog, type Log } from './log.js';
export { serve } from './serve.js';
export { createStores, type Stores } from './stores.js';
export { TallybookServer, type ServerParts } from './tallybook-server.js';
