import { checkRange, LINE_RANGE, type DeviceUrl } from '@tallybook/devices';
import { readFormat } from '../formats/id-format.js';
import type { WiegandOptions } from './wiegand-id-source.js';

/** Reads the URL of a reader with a Wiegand output, such as `wiegand:gpiochip0?d0=17&d1=18`. */
export function readWiegandUrl(url: DeviceUrl): WiegandOptions {
  return {
    chip: url.path,
    d0: readLine(url, 'd0'),
    d1: readLine(url, 'd1'),
    name: url.text('name'),
    bits: url.text('bits')?.split(',').map(parseLength),
    silenceMs: url.durationMs('silence'),
    format: readFormat(url),
  };
}

function readLine(url: DeviceUrl, parameter: string): number {
  return url.wholeNumber(parameter, LINE_RANGE) ?? checkRange(parameter, NaN, LINE_RANGE, 'nothing');
}

function parseLength(text: string): number {
  return /^[0-9]+$/.test(text) ? Number(text) : NaN;
}
