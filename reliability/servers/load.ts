import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.js';
import { ask, insist, requireTemporary, type Answer } from '../ask.js';
import type { Subject } from './subject.js';
import { GUEST, groupsOfVersion, MEMBER } from './members.js';
import type { ServersLedger, Tap } from './servers-ledger.js';

/** The user who signs in and out. This user must exist. */
export const SIGNER = { name: 'ada', password: 'walnut over seven gables' } as const;
const NAMERS = 4;
const TAGS = 300;
const NAMED_TAGS_EACH = 10;
const MEMBERS = 3;
/** Share of the changes of members before which a guest comes, 0 to 1. */
const GUESTS = 0.2;
/** Share of answered taps that a device sends again, as after a loss of its memory. */
const AGAIN = 0.1;
const PAUSE_MS = 20;
/** How often a session is checked, by new connections: some of them reach the other server. */
const LOOKS = 4;
/** Successive refusals after which a session counts as unknown to all servers. */
const REFUSALS = 6;
/** Acknowledgements between two sign-ins: a sign-in takes much computing time. */
const BETWEEN_SIGN_INS = 60;
/**
 * Limit for a time without acknowledgements, and for the end of a session at all servers, in milliseconds. Only a
 * failure reaches it.
 */
const PATIENCE_MS = 120_000;

/** The tags of a load, and its settings. */
export interface LoadSubject extends Subject {
  /** Readers that send taps, independently of each other. */
  readonly devices: readonly string[];
  readonly random: Random;
  /** Number of tapped tags. Default: {@link TAGS}. */
  readonly tags?: number;
  /** Share of answered taps that a device sends again, 0 to 1. Default: {@link AGAIN}. */
  readonly again?: number;
  /** How long an ended session may still be valid. Default: {@link PATIENCE_MS}. */
  readonly patienceMs?: number;
}

interface PushAnswer {
  readonly results: readonly { readonly outcome: string; readonly detail?: string }[];
}

/**
 * Devices that send each tap until it is answered, and people who give names, sign in and sign out. All requests go
 * through the load balancer.
 */
export class Load {
  /** Number of answers that the tap waits in memory: it is neither lost nor durable. */
  waiting = 0;
  /** Requests that were sent again, after an error or without an answer. */
  again = 0;
  readonly #url: string;
  readonly #ledger: ServersLedger;
  readonly #random: Random;
  readonly #subject: LoadSubject;
  readonly #startAt = Math.floor(Date.now() / 1000) - 3 * 86_400;
  readonly #working: Promise<unknown>;
  #taps = 0;
  #acknowledged = 0;
  #isOver = false;

  constructor(url: string, ledger: ServersLedger, subject: LoadSubject) {
    this.#url = url;
    this.#ledger = ledger;
    this.#random = subject.random;
    this.#subject = subject;
    const devices = subject.devices.map((device) => this.#tapOn(device));
    const namers = Array.from({ length: NAMERS }, (_, n) => this.#nameOn(n));
    const members = Array.from({ length: MEMBERS }, (_, n) => this.#regroup(n));
    this.#working = Promise.all([...devices, ...namers, ...members, this.#signInAndOut()]);
    this.#working.catch(() => undefined);
  }

  /** Resolves when this many more taps and names were acknowledged. */
  async progress(count: number): Promise<void> {
    const goal = this.#acknowledged + count;
    for (let [seen, since] = [this.#acknowledged, performance.now()]; this.#acknowledged < goal;) {
      await Promise.race([delay(10), this.#working]);
      if (this.#acknowledged > seen) [seen, since] = [this.#acknowledged, performance.now()];
      else if (performance.now() - since > PATIENCE_MS) throw new Error('nothing is acknowledged any more');
    }
  }

  /** Ends the load when all requests are answered. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.#working;
  }

  /** Sends one more tap, and resolves when it is acknowledged. */
  async tapOnce(id: string): Promise<void> {
    await this.#send(this.#subject.devices[0] ?? '', `last-${this.#taps}`, 1, this.#newTap(id));
  }

  async #tapOn(device: string): Promise<void> {
    const run = `${device}-${this.#random.between(1, 1e9)}`;
    for (let n = 1; !this.#isOver; n++) {
      const tap = this.#newTap(this.#tagOf(this.#random.between(1, this.#subject.tags ?? TAGS)));
      await this.#send(device, run, n, tap);
      if (this.#random.chance(this.#subject.again ?? AGAIN)) await this.#send(device, run, n, tap);
    }
  }

  #newTap(id: string): Tap {
    const tap = { id, at: this.#startAt + ++this.#taps };
    this.#ledger.sent(tap);
    return tap;
  }

  async #send(device: string, run: string, n: number, tap: Tap): Promise<void> {
    const readings = [{ ...tap, n }];
    const { status, body } = await this.#change(`/api/readers/${device}/readings`, { run, readings });
    if (status !== 200) throw new Error(`a tap was answered with ${status}`);
    const { outcome = '', detail = '' } = (JSON.parse(body) as PushAnswer).results[0] ?? {};
    if (outcome === 'refused') throw new Error(`a tap was refused: ${detail}`);
    if (outcome === 'waiting') this.waiting++;
    else this.#ledger.answered(tap, outcome);
  }

  async #nameOn(writer: number): Promise<void> {
    while (!this.#isOver) {
      const id = this.#tagOf(writer * NAMED_TAGS_EACH + this.#random.between(1, NAMED_TAGS_EACH));
      const version = this.#ledger.names.next(id);
      const body = JSON.stringify({ id, name: { first: 'Ada', last: `V${version}` } });
      const answer = await this.#ask('/api/mapping', body);
      if (answer !== undefined && answer.status < 300) {
        this.#ledger.names.acknowledge(id, version);
        this.#acknowledged++;
      } else {
        requireTemporary(answer);
        this.again++;
        await delay(PAUSE_MS);
      }
    }
  }

  /** A member changes groups again and again. Now and then a guest comes. */
  async #regroup(member: number): Promise<void> {
    const last = `${this.#subject.prefix} ${member}`;
    const added = await this.#change('/api/person', { name: { first: MEMBER, last } });
    // An answer may be lost after the member was added: the last one added counts.
    const { id } = JSON.parse(added.body) as { readonly id: string };
    while (!this.#isOver) {
      if (this.#random.chance(GUESTS)) {
        const name = this.#ledger.guestComes(this.#subject.prefix);
        await this.#change('/api/guest', { name: { first: GUEST, last: name } });
        this.#ledger.guestCame(name);
      }
      const version = this.#ledger.groups.next(id);
      await this.#change('/api/person', { id, groups: groupsOfVersion(version) });
      this.#ledger.groups.acknowledge(id, version);
    }
  }

  /** Asks until it is answered. */
  async #change(path: string, body: object): Promise<Answer> {
    for (;;) {
      const answer = await this.#ask(path, JSON.stringify(body));
      if (answer !== undefined && answer.status < 300) {
        this.#acknowledged++;
        return answer;
      }
      requireTemporary(answer);
      this.again++;
      await delay(PAUSE_MS);
    }
  }

  async #signInAndOut(): Promise<void> {
    const { patienceMs = PATIENCE_MS } = this.#subject;
    while (!this.#isOver) {
      const { headers } = await insist(this.#url, '/api/session', { body: JSON.stringify(SIGNER) });
      const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      this.#ledger.signedIn();
      for (let look = 0; look < LOOKS; look++) {
        if (!(await this.#isKnown(cookie)))
          this.#ledger.broke('a session was acknowledged, and a server does not know it');
      }
      await insist(this.#url, '/api/session', { method: 'DELETE', headers: { Cookie: cookie } });
      const since = performance.now();
      for (let refusals = 0; refusals < REFUSALS;) {
        const isKnown = await this.#isKnown(cookie);
        refusals = isKnown ? 0 : refusals + 1;
        if (!isKnown || performance.now() - since < patienceMs) continue;
        this.#ledger.broke('a session was ended, and a server goes on with it');
        break;
      }
      const goal = this.#acknowledged + BETWEEN_SIGN_INS;
      await this.#reaches(goal);
    }
  }

  /** Resolves when this many are acknowledged, or the load has ended. */
  async #reaches(goal: number): Promise<void> {
    while (!this.#isOver && this.#acknowledged < goal) await delay(PAUSE_MS);
  }

  async #isKnown(cookie: string): Promise<boolean> {
    const { body } = await insist(this.#url, '/api/session', { headers: { Cookie: cookie } });
    return (JSON.parse(body) as { user: { name: string } | null }).user?.name === SIGNER.name;
  }

  #ask(path: string, body: string): Promise<Answer | undefined> {
    return ask(this.#url, path, { body, headers: this.#subject.headers });
  }

  #tagOf(n: number): string {
    return `${this.#subject.prefix}${n.toString(16).toUpperCase().padStart(6, '0')}`;
  }
}
