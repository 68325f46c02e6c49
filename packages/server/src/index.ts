export { SystemClock } from '@tallybook/clock-system';
export { runCommandLine } from './command-line.js';
export { readConfigFile, type FileSettings } from './config/config-file.js';
export { loadConfig, type Config, type Settings } from './config/config.js';
export { logLevels, settings, type LogLevel, type Setting } from './config/settings.js';
export {
  createContainer,
  domainModule,
  httpModule,
  outputsModule,
  readersModule,
  serverModule,
  storeModule,
  systemModule,
} from './container.js';
export { HttpListener, type HttpListenerOptions } from './http-listener.js';
export { createLog, type Log } from './log.js';
export { moduleOf, type Recipes } from './module-of.js';
export { serve } from './serve.js';
export { serviceId, type Services } from './services.js';
export { createStores, type Stores } from './config/stores.js';
export { TallybookServer, type ServerParts } from './tallybook-server.js';
