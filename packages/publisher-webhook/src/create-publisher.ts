import {
  DeviceRegistry,
  readPublisherName,
  type DeviceKind,
  type DeviceUrl,
  type Publisher,
  type PublisherDependencies,
} from '@tallybook/devices';
import { quote, TallybookError } from '@tallybook/domain';
import { WebhookPublisher } from './webhook-publisher.js';

const LOGIN =
  'a webhook has no login: its receiver knows a request by the signature, with the secret in secret-file=FILE';
const PARAMETERS = 'secret-file=FILE&names=no&redirects=refused';

/** Names and addresses of the machine itself, as they are written in a URL. */
const THIS_MACHINE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The kinds of publishers by the scheme of their URL. Each also takes `name=`. */
export const publisherKinds: Readonly<Record<string, DeviceKind<Publisher, PublisherDependencies>>> = {
  https: { usage: `https://HOST/PATH?${PARAMETERS}&ca=FILE`, login: LOGIN, create: createWebhookPublisher },
  http: { usage: `http://localhost/PATH?${PARAMETERS}`, login: LOGIN, create: createWebhookPublisher },
};

const registry = new DeviceRegistry<Publisher, PublisherDependencies>('publisher', publisherKinds);

/**
 * Makes the publisher of a URL, for example `https://example.org/taps?secret-file=/etc/tallybook/webhook`. It is not
 * opened.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the URL names no publisher. The message says what is allowed. If a
 * parameter is wrong, `details.parameter` names it.
 */
export function createPublisher(url: string, dependencies: PublisherDependencies): Publisher {
  return registry.create(url, dependencies);
}

function createWebhookPublisher(url: DeviceUrl, dependencies: PublisherDependencies): Publisher {
  const { scheme, address, encodedPath } = url;
  const endpoint = new URL(`${scheme}://${address}${encodedPath}`);
  if (scheme === 'http' && !THIS_MACHINE.test(endpoint.hostname)) {
    throw new TallybookError(
      'INVALID_OPTION',
      `http: is for this machine only (localhost, 127.0.0.1, [::1]), because everybody on the way could read it; use https: for ${quote(address)}`,
    );
  }
  const secretFile = url.text('secret-file');
  if (secretFile === undefined || secretFile === '') {
    throw new TallybookError(
      'INVALID_OPTION',
      'secret-file is missing: the file with the secret by which the receiver knows that a request comes from here',
      { details: { parameter: 'secret-file' } },
    );
  }
  const options = {
    // The name does not have the path: it may be a secret of the receiver.
    name: readPublisherName(url, `webhook:${address}`),
    url: endpoint,
    secretFile,
    caFile: scheme === 'https' ? url.text('ca') : undefined,
    withNames: url.choice('names', ['no', 'yes']) === 'yes',
    acceptsRedirects: url.choice('redirects', ['refused', 'accepted']) === 'accepted',
  };
  return new WebhookPublisher(options, dependencies);
}
