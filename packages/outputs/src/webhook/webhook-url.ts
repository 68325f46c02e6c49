import { checkName, type DeviceUrl, invalidOption } from '@tallybook/devices';
import { quote } from '@tallybook/domain';
import type { WebhookPublisherOptions } from './webhook-publisher.js';

/** Names and addresses of the machine itself, as they are written in a URL. */
const THIS_MACHINE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Reads the URL of a publisher to a web address. */
export function readWebhookUrl(url: DeviceUrl): WebhookPublisherOptions {
  const { scheme, address, encodedPath } = url;
  const endpoint = new URL(`${scheme}://${address}${encodedPath}`);
  if (scheme === 'http' && !THIS_MACHINE.test(endpoint.hostname)) {
    throw invalidOption(
      `http: is for this machine only (localhost, 127.0.0.1, [::1]), because everybody on the way could read it; use https: for ${quote(address)}`,
    );
  }
  const secretFile = url.text('secret-file');
  if (secretFile === undefined || secretFile === '') {
    throw invalidOption(
      'secret-file is missing: the file with the secret by which the receiver knows that a request comes from here',
      'secret-file',
    );
  }
  return {
    // The name does not have the path: it may be a secret of the receiver.
    name: checkName(url.text('name') ?? `webhook:${address}`),
    url: endpoint,
    secretFile,
    caFile: scheme === 'https' ? url.text('ca') : undefined,
    withNames: url.choice('names', ['no', 'yes']) === 'yes',
    acceptsRedirects: url.choice('redirects', ['refused', 'accepted']) === 'accepted',
  };
}
