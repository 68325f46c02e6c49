import { fork } from 'node:child_process';
import { once } from 'node:events';

const fileOf = (path) => new URL(path, import.meta.url);

/** A process that puts load on a server. */
class Generator {
  #child;

  constructor(file) {
    this.#child = fork(fileOf(file));
  }

  async ask(job) {
    const answer = once(this.#child, 'message');
    this.#child.send(job);
    return (await answer)[0];
  }

  async next() {
    return (await once(this.#child, 'message'))[0];
  }

  close() {
    this.#child.kill();
  }
}

/** HTTP requests from autocannon. */
export class Requests {
  #generator = new Generator('../load/requests.mjs');

  /**
   * Requests per second that a peer answers with an expected status.
   *
   * @param tagCount For POST: number of tags that get names, in turn.
   */
  async rate(peer, { path, connections, seconds, headers = {}, tagCount, statuses = [200] }) {
    const result = await this.#generator.ask({
      url: `${peer.url}${path}`,
      connections,
      seconds,
      headers,
      tagCount,
    });
    const unexpected = Object.keys(result.statuses).filter((status) => !statuses.includes(Number(status)));
    if (result.errors > 0 || unexpected.length > 0) {
      throw new Error(
        `${peer.url}${path}: ${result.errors} errors, statuses ${JSON.stringify(result.statuses)}`,
      );
    }
    return result.rate;
  }

  close() {
    this.#generator.close();
  }
}

/** The header field of a client that already has the answer of a peer. */
export async function etagOf({ url }, path, headers = {}) {
  const response = await fetch(`${url}${path}`, { headers });
  await response.arrayBuffer();
  return { 'if-none-match': response.headers.get('etag') };
}

/** Subscribers of event streams. */
export class Subscribers {
  #generator = new Generator('../load/subscribers.mjs');

  /** Connects more of them. */
  async open(peer, count) {
    const { opened } = await this.#generator.ask({ command: 'open', url: peer.url, count });
    if (opened < count) throw new Error(`only ${opened} of ${count} subscribers are connected`);
  }

  /**
   * Milliseconds until the last of many subscribers has read a text. They connect at once, and all missed the events after a
   * given one.
   */
  async millisecondsToCatchUp(peer, { count, lastEventId, text }) {
    const job = { command: 'catch-up', url: peer.url, count, lastEventId, text };
    return (await this.#generator.ask(job)).milliseconds;
  }

  /** Milliseconds from `act` until the last subscriber has read a text. */
  async millisecondsUntilAllRead(text, act) {
    await this.#generator.ask({ command: 'watch', text });
    const seen = this.#generator.next();
    const before = process.hrtime.bigint();
    act();
    const { seenAtNs, lost } = await seen;
    if (lost !== undefined) throw new Error(`a subscriber was cut off before it read ${lost}`);
    return Number(BigInt(seenAtNs) - before) / 1e6;
  }

  close() {
    this.#generator.close();
  }
}
