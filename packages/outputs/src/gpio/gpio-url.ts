import { LINE_RANGE, type DeviceUrl, invalidOption } from '@tallybook/devices';
import { quote } from '@tallybook/domain';
import type { GpioIndicatorOptions } from './gpio-indicator.js';
import { lamps, type Lamp } from './pattern-player.js';

/** Reads the URL of lights and a buzzer, such as `gpio:gpiochip0?green=22&red=23&buzzer=24&active-low=buzzer`. */
export function readGpioUrl(url: DeviceUrl): GpioIndicatorOptions {
  return {
    chip: url.path,
    lines: Object.fromEntries(lamps.map((lamp) => [lamp, url.wholeNumber(lamp, LINE_RANGE)])),
    activeLow: url.text('active-low')?.split(',').map(parseLamp),
    name: url.text('name'),
    reader: url.text('reader'),
  };
}

function parseLamp(text: string): Lamp {
  const lamp = lamps.find((each) => each === text);
  if (lamp !== undefined) return lamp;
  throw invalidOption(
    `active-low is one or more of ${lamps.join(', ')}, with commas between; got ${quote(text)}`,
    'active-low',
  );
}
