export { SystemClock } from '@tallybook/system';
export { runCommandLine } from './command-line/command-line.js';
export { readConfigFile, type FileSettings } from './config/config-file.js';
export { loadConfig, type Config, type Settings } from './config/config.js';
export type { Setting } from './config/setting.js';
export { logLevels, settings, type LogLevel } from './config/settings.js';
export { createContainer } from './wiring/container.js';
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
