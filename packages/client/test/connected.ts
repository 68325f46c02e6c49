import type { RunningService } from '../../http-koa/test/fixtures/running-service.js';
import { TallybookClient, type TransportOptions } from '../src/index.js';

/** A client of a running service. */
export function clientOf({ port }: RunningService, options?: TransportOptions): TallybookClient {
  return new TallybookClient(`http://127.0.0.1:${port}`, options);
}
