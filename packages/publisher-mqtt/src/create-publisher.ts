import { join } from 'node:path';
import {
  BROKER_PARAMETERS,
  checkTopic,
  DeviceRegistry,
  readBroker,
  readTopic,
  type DeviceKind,
  type DeviceUrl,
} from '@tallybook/devices';
import { quote, TallybookError } from '@tallybook/domain';
import { FileOutbox } from './file-outbox.js';
import { MemoryOutbox } from './memory-outbox.js';
import { MqttPublisher } from './mqtt-publisher.js';
import { OUTBOX_DEFAULT_LIMIT, OUTBOX_LIMIT_RANGE } from './outbox.js';
import type { Publisher, PublisherDependencies } from './publisher.js';

const PARAMETERS = `names=no&outbox=${OUTBOX_DEFAULT_LIMIT}&discovery=homeassistant&${BROKER_PARAMETERS}`;
const NAME = /^\P{Cc}{1,100}$/u;
/** In bytes; file systems take 255. */
const FOLDER_NAME_LONGEST = 200;

/** Words meant as a switch: as a prefix nobody would read them. */
const SWITCH = /^(?:no|none|false|yes|true|on)$/i;

/** The kinds of publishers by the scheme of their URL. */
const publisherKinds: Readonly<Record<string, DeviceKind<Publisher, PublisherDependencies>>> = {
  mqtt: { usage: `mqtt://HOST/TOPIC?${PARAMETERS}`, create: createMqttPublisher },
  mqtts: { usage: `mqtts://HOST/TOPIC?${PARAMETERS}&ca=FILE`, create: createMqttPublisher },
};

const registry = new DeviceRegistry<Publisher, PublisherDependencies>('publisher', publisherKinds);

/** Form of the URL of each kind of publisher, by scheme, for help texts. Each also takes `name=`. */
export const publisherSchemes: Readonly<Record<string, string>> = registry.usages;

/**
 * Makes the publisher of a URL, for example `mqtt://broker.local/attendance?name=home`. It is not opened.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the URL is not one of a publisher. The message says what is allowed;
 * `details.parameter` names the wrong parameter, if it is one.
 */
export function createPublisher(url: string, dependencies: PublisherDependencies): Publisher {
  return registry.create(url, dependencies);
}

function createMqttPublisher(
  url: DeviceUrl,
  { attendance, clock, outboxFolder }: PublisherDependencies,
): Publisher {
  const topic = checkTopic('the path', readTopic(url));
  const name = url.text('name') ?? `mqtt:${topic}`;
  // A name of two dots is no folder of its own.
  const folderName = encodeURIComponent(name).replaceAll('.', '%2E');
  if (!NAME.test(name) || folderName.length > FOLDER_NAME_LONGEST) {
    throw new TallybookError(
      'INVALID_OPTION',
      `name is 1 to 100 characters without control characters, fewer if they are not ASCII; got ${quote(name)}`,
      { details: { parameter: 'name' } },
    );
  }
  const limit = url.wholeNumber('outbox', OUTBOX_LIMIT_RANGE) ?? OUTBOX_DEFAULT_LIMIT;
  const options = {
    name,
    broker: readBroker(url),
    topic,
    withNames: url.choice('names', ['no', 'yes']) === 'yes',
    discoveryPrefix: readDiscovery(url),
  };
  const outbox =
    outboxFolder === undefined
      ? new MemoryOutbox(limit)
      : new FileOutbox({ folder: join(outboxFolder, folderName), clock, limit });
  return new MqttPublisher(options, { attendance, clock, outbox });
}

/** The prefix of Home Assistant's discovery; `undefined` if it is off. */
function readDiscovery(url: DeviceUrl): string | undefined {
  const prefix = url.text('discovery') ?? 'homeassistant';
  if (prefix === 'off') return undefined;
  if (!SWITCH.test(prefix)) return checkTopic('discovery', prefix);
  throw new TallybookError(
    'INVALID_OPTION',
    `discovery is off, or a prefix such as homeassistant; got ${quote(prefix)}`,
    { details: { parameter: 'discovery' } },
  );
}
