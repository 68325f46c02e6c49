import { DeviceRegistry, type DeviceKind } from '@tallybook/devices';
import type { Clock, IdSource } from '@tallybook/domain';
import { readFormat } from './formats/id-format.js';
import { CONFIRM_RANGE } from './serial/confirmation.js';
import { BAUD_RANGE, SerialIdSource } from './serial/serial-id-source.js';
import { readProtocol } from './serial/serial-protocols.js';
import { SimulatedIdSource, TAGS_RANGE } from './simulated/simulated-id-source.js';
import { StdinIdSource } from './stdin/stdin-id-source.js';

export interface ReaderDependencies {
  readonly clock: Clock;
  /** What `stdin:` reads. Default: the standard input of the process. */
  readonly stdin?: NodeJS.ReadableStream;
}

/** The kinds of readers by the scheme of their URL. A new kind is one more entry. */
const readerKinds: Readonly<Record<string, DeviceKind<IdSource, ReaderDependencies>>> = {
  serial: {
    usage: 'serial:PATH?protocol=rdm6300&baud=9600&confirm=2&checksum=drop&format=hex',
    create: (url, { clock }) => {
      const usual = readProtocol(url);
      const options = {
        path: url.path,
        name: url.text('name'),
        createDecoder: usual.createDecoder,
        baudRate: url.wholeNumber('baud', BAUD_RANGE) ?? usual.baudRate,
        confirm: url.wholeNumber('confirm', CONFIRM_RANGE) ?? usual.confirm,
        format: readFormat(url),
      };
      return new SerialIdSource(options, clock);
    },
  },
  stdin: {
    usage: 'stdin:?format=hex',
    create: (url, { clock, stdin }) => {
      url.refusePath();
      return new StdinIdSource({ name: url.text('name'), stream: stdin, format: readFormat(url) }, clock);
    },
  },
  simulated: {
    usage: 'simulated:?every=5s&tags=10',
    create: (url, { clock }) => {
      url.refusePath();
      const options = {
        name: url.text('name'),
        everyMs: url.durationMs('every'),
        tags: url.wholeNumber('tags', TAGS_RANGE),
      };
      return new SimulatedIdSource(options, clock);
    },
  },
};

const registry = new DeviceRegistry<IdSource, ReaderDependencies>('reader', readerKinds);

/** For help texts: how the URL of each kind of reader is written, by scheme. Each also takes `name=`. */
export const readerSchemes: Readonly<Record<string, string>> = registry.usages;

/**
 * Makes the reader that a URL names, for example `serial:/dev/ttyUSB0?confirm=3&name=door`. It is not opened.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the URL is not one of a reader, with what is allowed in the message
 * and the parameter at fault, if it is one, in `details.parameter`.
 */
export function createReader(url: string, dependencies: ReaderDependencies): IdSource {
  return registry.create(url, dependencies);
}
