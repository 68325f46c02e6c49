export { SystemClock } from '@tallybook/clock-system';
export { runCommandLine } from './command-line/command-line.js';
export { readConfigFile, type FileSettings } from './config/config-file.js';
export { loadConfig, type Config, type Settings } from './config/config.js';
export { logLevels, settings, type LogLevel, type Setting } from './config/settings.js';
export {
  accessModule,
  createContainer,
  domainModule,
  httpModule,
  outputsModule,
  readersModule,
  serverModule,
  storeModule,
  systemModule,
} from './wiring/container.js';
export {
  HttpListener,
  type HttpListenerOptions,
  type KeyPair,
  type KeyPairSource,
} from './http/http-listener.js';
export { healthModule, metricsModule } from './wiring/observing.js';
export { createLog, type Log } from './log/log.js';
export { moduleOf, type Recipes } from './wiring/module-of.js';
export { serve } from './command-line/serve.js';
export { serviceId, type Services } from './wiring/services.js';
export { createStores, type Stores } from './config/stores.js';
export { TallybookServer, type ServerParts } from './wiring/tallybook-server.js';
