import { DeviceRegistry } from '@tallybook/devices';
import type { Clock } from '@tallybook/domain';
import type { DeviceIndicator } from './device-indicator.js';

export interface IndicatorDependencies {
  readonly clock: Clock;
}

/** The kinds of indicators by the scheme of their URL. A new kind is one more entry. */
const registry = new DeviceRegistry<DeviceIndicator, IndicatorDependencies>('indicator', {});

/** For help texts: how the URL of each kind of indicator is written, by scheme. Each also takes `name=` and `reader=`. */
export const indicatorSchemes: Readonly<Record<string, string>> = registry.usages;

/**
 * Makes the indicator that a URL names, for example `gpio:/dev/gpiochip0?green=22&red=23&buzzer=24`. It is not opened.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the URL is not one of an indicator, with what is allowed in the message
 * and the parameter at fault, if it is one, in `details.parameter`.
 */
export function createIndicator(url: string, dependencies: IndicatorDependencies): DeviceIndicator {
  return registry.create(url, dependencies);
}
