import { quote, TallybookError } from '@tallybook/domain';
import type { DeviceUrl } from '../device-url.js';

const NAME = /^\P{Cc}{1,100}$/u;

/**
 * Reads the name of a publisher from its URL.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the name is invalid.
 */
export function readPublisherName(url: DeviceUrl, defaultName: string): string {
  const name = url.text('name') ?? defaultName;
  if (NAME.test(name)) return name;
  throw new TallybookError(
    'INVALID_OPTION',
    `name is 1 to 100 characters without control characters; got ${quote(name)}`,
    { details: { parameter: 'name' } },
  );
}
