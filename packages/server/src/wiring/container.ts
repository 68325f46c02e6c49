import 'reflect-metadata';
import { Container } from 'inversify';
import type { Config } from '../config/config.js';
import { accessModule } from './modules/access-module.js';
import { adaptersModule } from './modules/adapters-module.js';
import { healthModule } from './modules/health-module.js';
import { httpModule } from './modules/http-module.js';
import { serverModule } from './modules/server-module.js';
import { tallybookModule } from './modules/tallybook-module.js';
import { refusingLateRebinds } from './module-of.js';
import { serviceId } from './services.js';

/**
 * Makes a container with all modules. Services are made when they are first read, so until then a test or a device app
 * may rebind any of them; later `rebind` throws.
 */
export function createContainer(config: Config): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(serviceId('config')).toConstantValue(config);
  container.load(adaptersModule, tallybookModule, accessModule, httpModule, healthModule, serverModule);
  return refusingLateRebinds(container);
}
