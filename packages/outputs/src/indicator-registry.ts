import {
  BROKER_LOGIN,
  brokerClientOf,
  DeviceRegistry,
  registrationsOf,
  type DeviceIndicator,
  type IndicatorDependencies,
  type IndicatorRegistration,
} from '@tallybook/devices';
import { GpioIndicator } from './gpio/gpio-indicator.js';
import { readGpioUrl } from './gpio/gpio-url.js';
import { MqttIndicator } from './mqtt/mqtt-indicator.js';
import { readMqttIndicatorUrl } from './mqtt/mqtt-urls.js';

const mqtt: Pick<IndicatorRegistration, 'login' | 'brokerClient' | 'make'> = {
  login: BROKER_LOGIN,
  brokerClient: (url) => brokerClientOf(url),
  make: (url, { clock }) => new MqttIndicator(readMqttIndicatorUrl(url), clock),
};

/** Indicators by the scheme of their URL. A new one is one more entry. */
export const indicators: readonly IndicatorRegistration[] = registrationsOf('indicator', {
  gpio: {
    usage: 'gpio:CHIP?green=22&red=23&buzzer=24&active-low=buzzer',
    make: (url, { clock }) => new GpioIndicator(readGpioUrl(url), clock),
  },
  mqtt: { ...mqtt, usage: 'mqtt://HOST/TOPIC?reader=NAME&credentials=FILE' },
  mqtts: { ...mqtt, usage: 'mqtts://HOST/TOPIC?reader=NAME&ca=FILE&credentials=FILE' },
});

const registry = new DeviceRegistry<DeviceIndicator, IndicatorDependencies>('indicator', indicators);

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
