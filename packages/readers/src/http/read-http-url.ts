import { invalidOption } from '@tallybook/devices';
import type { DeviceUrl } from '@tallybook/devices';
import { readFormat } from '../formats/id-format.js';
import type { HttpReaderOptions } from './http-id-source.js';

/** Reads `http:NAME?…`. */
export function readHttpUrl(url: DeviceUrl, isTrial = false): HttpReaderOptions {
  if (isTrial) {
    throw invalidOption('it is fed by requests to the service, so there is nothing to try without one');
  }
  return {
    name: url.path,
    silenceMs: url.durationMs('silence'),
    trustsDevice: url.choice('time', ['service', 'device']) === 'device',
    format: readFormat(url, { delivers: 'text' }),
  };
}
