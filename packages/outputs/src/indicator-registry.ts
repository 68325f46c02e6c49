import { BROKER_LOGIN, DeviceRegistry, type DeviceKind } from '@tallybook/devices';
import type { Clock } from '@tallybook/domain';
import type { DeviceIndicator } from './device-indicator.js';
import { GpioIndicator } from './gpio/gpio-indicator.js';
import { readGpioUrl } from './gpio/gpio-url.js';
import { MqttIndicator } from './mqtt/mqtt-indicator.js';
import { readMqttIndicatorUrl } from './mqtt/mqtt-urls.js';

export interface IndicatorDependencies {
  readonly clock: Clock;
}

type IndicatorKind = DeviceKind<DeviceIndicator, IndicatorDependencies>;

const mqtt: Pick<IndicatorKind, 'login' | 'create'> = {
  login: BROKER_LOGIN,
  create: (url, { clock }) => new MqttIndicator(readMqttIndicatorUrl(url), clock),
};

/** The kinds of indicators by the scheme of their URL. A new kind is one more entry. */
const indicatorKinds: Readonly<Record<string, IndicatorKind>> = {
  gpio: {
    usage: 'gpio:CHIP?green=22&red=23&buzzer=24&active-low=buzzer',
    create: (url, { clock }) => new GpioIndicator(readGpioUrl(url), clock),
  },
  mqtt: { ...mqtt, usage: 'mqtt://HOST/TOPIC?reader=NAME&credentials=FILE' },
  mqtts: { ...mqtt, usage: 'mqtts://HOST/TOPIC?reader=NAME&ca=FILE&credentials=FILE' },
};

const registry = new DeviceRegistry<DeviceIndicator, IndicatorDependencies>('indicator', indicatorKinds);

/** Form of the URL of each kind of indicator, by scheme, for help texts. Each also takes `name=` and `reader=`. */
export const indicatorSchemes: Readonly<Record<string, string>> = registry.usages;

/**
 * Makes the indicator of a URL, for example `gpio:/dev/gpiochip0?green=22&red=23&buzzer=24`. It is not opened.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the URL names no indicator. The message says what is allowed. If a
 * parameter is wrong, `details.parameter` names it.
 */
export function createIndicator(url: string, dependencies: IndicatorDependencies): DeviceIndicator {
  return registry.create(url, dependencies);
}
