export { SystemClock } from '@tallybook/system';
export { runCommandLine } from './command-line/command-line.js';
export { readConfigFile, type FileSettings } from './config/config-file.js';
export { loadConfig, type Config, type Settings } from './config/config.js';
export type { Setting } from './config/setting.js';
export { logLevels, settings, type LogLevel } from './config/settings.js';
export { createContainer } from './wiring/container.js';
export { accessModule } from './wiring/modules/access-module.js';
export { healthModule } from './wiring/modules/health-module.js';
export { httpModule } from './wiring/modules/http-module.js';
export { metricsModule } from './wiring/modules/metrics-module.js';
export { outputsModule, readersModule } from './wiring/modules/device-modules.js';
export { serverModule } from './wiring/modules/server-module.js';
export { storeModule } from './wiring/modules/store-module.js';
export { systemModule } from './wiring/modules/system-module.js';
export { tallybookModule } from './wiring/modules/tallybook-module.js';
export {
  HttpListener,
  type HttpListenerOptions,
  type KeyPair,
  type KeyPairSource,
  type RefusedFor,
} from './http/http-listener.js';
export { createLog, type Log } from './log/log.js';
export { moduleOf, type Recipes } from './wiring/module-of.js';
export { serve } from './command-line/serve.js';
export { serviceId, type Services } from './wiring/services.js';
export { createStorage, type FullStorage } from './config/stores.js';
export { TallybookServer, type ServerParts } from './wiring/tallybook-server.js';
