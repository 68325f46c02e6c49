import {
  BROKER_LOGIN,
  brokerClientOf,
  DeviceRegistry,
  registrationsOf,
  type DeviceRegistration,
  type ReaderDependencies,
} from '@tallybook/devices';
import { readFormat } from './formats/id-format.js';
import { HttpIdSource } from './http/http-id-source.js';
import { readHttpUrl } from './http/read-http-url.js';
import { MqttIdSource } from './mqtt/mqtt-id-source.js';
import { readMqttUrl } from './mqtt/read-mqtt-url.js';
import { HidIdSource, LENGTH_RANGE } from './hid/hid-id-source.js';
import { keyboardLayouts, type KeyboardLayoutName } from './hid/keyboard-layouts.js';
import type { ObservableIdSource } from './observable-id-source.js';
import { PcscIdSource } from './pcsc/pcsc-id-source.js';
import { CONFIRM_RANGE } from './serial/confirmation.js';
import { BAUD_RANGE, SerialIdSource } from './serial/serial-id-source.js';
import { readProtocol } from './serial/serial-protocols.js';
import { SimulatedIdSource, TAGS_RANGE } from './simulated/simulated-id-source.js';
import { StdinIdSource } from './stdin/stdin-id-source.js';
import { WiegandIdSource } from './wiegand/wiegand-id-source.js';
import { readWiegandUrl } from './wiegand/wiegand-url.js';

type OwnRegistration = DeviceRegistration<'reader', ObservableIdSource, ReaderDependencies>;

const mqtt: Pick<OwnRegistration, 'login' | 'brokerClient' | 'make'> = {
  login: BROKER_LOGIN,
  // Without an id of a client, the id is made of the topic.
  brokerClient: (url) => brokerClientOf(url, 'by topic'),
  make: (url, { clock, isTrial }) => new MqttIdSource({ ...readMqttUrl(url), isTrial }, clock),
};

/** Readers by the scheme of their URL. A new one is one more entry. */
export const readers: readonly OwnRegistration[] = registrationsOf('reader', {
  serial: {
    usage: 'serial:PATH?protocol=rdm6300&baud=9600&confirm=2&checksum=drop&format=hex',
    make: (url, { clock }) => {
      const usual = readProtocol(url);
      const options = {
        path: url.path,
        name: url.text('name'),
        createDecoder: usual.createDecoder,
        baudRate: url.wholeNumber('baud', BAUD_RANGE) ?? usual.baudRate,
        confirm: url.wholeNumber('confirm', CONFIRM_RANGE) ?? usual.confirm,
        format: readFormat(url, { delivers: url.text('protocol') === 'lines' ? 'text' : 'bytes' }),
      };
      return new SerialIdSource(options, clock);
    },
  },
  wiegand: {
    usage: 'wiegand:CHIP?d0=17&d1=18&bits=26,34,37&silence=50ms&format=hex',
    make: (url, { clock }) => new WiegandIdSource(readWiegandUrl(url), clock),
  },
  hid: {
    usage: 'hid:/PATH?layout=us&length=6&silence=200ms&format=hex',
    make: (url, { clock }) => {
      const options = {
        path: url.path,
        name: url.text('name'),
        layout: url.choice('layout', Object.keys(keyboardLayouts) as KeyboardLayoutName[]),
        length: url.wholeNumber('length', LENGTH_RANGE),
        silenceMs: url.durationMs('silence'),
        format: readFormat(url, { delivers: 'text' }),
      };
      return new HidIdSource(options, clock);
    },
  },
  mqtt: { ...mqtt, usage: 'mqtt://HOST/TOPIC?format=plain&spelling=hex&credentials=FILE' },
  mqtts: { ...mqtt, usage: 'mqtts://HOST/TOPIC?format=plain&spelling=hex&ca=FILE&credentials=FILE' },
  http: {
    usage: 'http:NAME?format=hex&silence=5m&time=device',
    naming: 'write another name after one http:',
    make: (url, { clock, receipts, timekeeper, isTrial }) =>
      new HttpIdSource({ ...readHttpUrl(url, isTrial), receipts, timekeeper }, clock),
  },
  pcsc: {
    usage: 'pcsc:PART-OF-A-NAME?format=hex',
    make: (url, { clock }) =>
      new PcscIdSource({ match: url.path, name: url.text('name'), format: readFormat(url) }, clock),
  },
  stdin: {
    usage: 'stdin:?format=hex',
    make: (url, { clock, stdin }) => {
      url.refusePath();
      const options = {
        name: url.text('name'),
        stream: stdin,
        format: readFormat(url, { delivers: 'text' }),
        // A person who sets a format knows the ids, so short ids are taken without a question.
        asksAboutShortIds: url.text('format') === undefined,
      };
      return new StdinIdSource(options, clock);
    },
  },
  simulated: {
    usage: 'simulated:?every=5s&tags=10',
    make: (url, { clock }) => {
      url.refusePath();
      const options = {
        name: url.text('name'),
        everyMs: url.durationMs('every'),
        tags: url.wholeNumber('tags', TAGS_RANGE),
      };
      return new SimulatedIdSource(options, clock);
    },
  },
});

const registry = new DeviceRegistry<ObservableIdSource, ReaderDependencies>('reader', readers);

/** Form of the URL of each kind of reader, by scheme, for help texts. Each kind except `http` also takes `name=`. */
export const readerSchemes: Readonly<Record<string, string>> = registry.usages;

/**
 * Makes the reader of a URL, for example `serial:/dev/ttyUSB0?confirm=3&name=door`. It is not opened.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the URL names no reader. The message says what is allowed. If a
 * parameter is wrong, `details.parameter` names it.
 */
export function createReader(url: string, dependencies: ReaderDependencies): ObservableIdSource {
  return registry.create(url, dependencies);
}
