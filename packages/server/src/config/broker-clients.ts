import { DeviceUrl, readBroker, readTopic, invalidOption } from '@tallybook/devices';
import { quote } from '@tallybook/domain';

/**
 * The devices behind brokers. To a broker, two devices with one client id are the same client: each new connection ends
 * the other one, again and again.
 */
export class BrokerClients {
  readonly #urls = new Map<string, string>();

  /**
   * Adds the device of a valid URL, if the device is behind a broker.
   *
   * @param isReader Whether it is a reader. If the URL of a reader has no client id, the id is made of its topic.
   * @throws {TallybookError} `INVALID_OPTION` if its broker would take it for another added device.
   */
  add(text: string, isReader: boolean): void {
    const url = new DeviceUrl(text);
    if (url.scheme !== 'mqtt' && url.scheme !== 'mqtts') return;
    const { host, port, clientId } = readBroker(url);
    if (clientId === undefined && !isReader) return;
    const client = JSON.stringify([host.toLowerCase(), port, clientId ?? { topic: readTopic(url) }]);
    const twin = this.#urls.get(client);
    if (twin !== undefined) {
      throw invalidOption(
        `the broker ${host}:${port} would take ${quote(twin)} and ${quote(text)} for one client; give one of them client=…`,
      );
    }
    this.#urls.set(client, text);
  }
}
