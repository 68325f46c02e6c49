import { DeviceRegistry, type Publisher, type PublisherDependencies } from '@tallybook/devices';
import { publisherKinds as mqttKinds } from '@tallybook/publisher-mqtt';
import { publisherKinds as webhookKinds } from '@tallybook/publisher-webhook';

const registry = new DeviceRegistry<Publisher, PublisherDependencies>('publisher', {
  ...mqttKinds,
  ...webhookKinds,
});

/** Form of the URL of each kind of publisher, by scheme, for help texts. Each also takes `name=`. */
export const publisherSchemes: Readonly<Record<string, string>> = registry.usages;

/**
 * Makes the publisher of a URL of any kind. It is not opened.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the URL names no publisher.
 */
export function createPublisher(url: string, dependencies: PublisherDependencies): Publisher {
  return registry.create(url, dependencies);
}
