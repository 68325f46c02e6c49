import { setTimeout as delay } from 'node:timers/promises';
import { VISITOR } from '../ledger/erasures.js';
import type { Ledger } from '../ledger/ledger.js';
import { nameOf } from '../ledger/names.js';
import { HELD, nameOfPerson } from '../ledger/people-ledger.js';
import { KEEPER, MOVER, passwordOf, roleOf } from '../ledger/users.js';
import type { Random } from '../random.js';
import type { Requests } from './requests.js';

/** Prefix of tags that are only corrected and never tapped: a day shows them because of their corrections. */
const CORRECTED = 'C0';
const COMPANION = 'C1';
const CORRECTED_TAGS = 200;
/** Corrections of a round: enough that some void others. */
const CORRECTIONS_OF_A_ROUND = 12;
/** Share of the corrections that void the one before. */
const SHARE_OF_VOIDS = 0.3;
const TOKENS_OF_A_ROUND = 6;
/** Visitors of a round: every second one stays. */
const VISITORS_OF_A_ROUND = 2;
/** How many of the visitors who stayed are erased together. */
const VISITORS_AT_ONCE = 3;
/** Persons and their tags: so few that each of them changes often. */
const PERSONS = 12;
const TAGS_OF_PERSONS = 8;
/** So few that two persons often have the same name. */
const VERSIONS = 2;
/** Ids of groups, so that names and ids are alike. */
const GROUPS = ['board', 'squad', 'youth'];
/** Acts on persons of a round: enough that tags are given, lost and handed on. */
const ACTS_OF_A_ROUND = 60;
const LOOK_MS = 10;

interface Time {
  readonly time: number;
  readonly day: number;
  readonly isTrusted: boolean;
}

interface PeoplePage {
  readonly people: readonly ListedPerson[];
  readonly next: string | null;
}

interface ListedPerson {
  readonly id: string;
  readonly number: string | null;
  readonly tags: readonly { readonly id: string; readonly isLost: boolean }[];
}

/** The service has ended, so no request is answered any more. */
export class Gone extends Error {}

/**
 * People at the desk of a service under test. One makes corrections. One issues and revokes tokens. One changes
 * users, and signs in and out. One receives visitors, who are erased later. One adds, corrects and erases persons, and gives them tags,
 * which are lost, returned and handed on, and tapped in between.
 */
export class Desk {
  /** Resolves when the service has ended. */
  readonly done: Promise<void>;
  /** Resolves when each of them has done each task once. */
  readonly round: Promise<void>;
  readonly #requests: Requests;
  readonly #ledger: Ledger;
  readonly #random: Random;
  readonly #tap: (id: string) => Promise<void>;

  /** @param tap Taps a tag, and resolves after the event of the tap. */
  constructor(requests: Requests, ledger: Ledger, random: Random, tap: (id: string) => Promise<void>) {
    this.#requests = requests;
    this.#ledger = ledger;
    this.#random = random;
    this.#tap = tap;
    let corrected = (): void => undefined;
    const firsts = new Promise<void>((resolve) => (corrected = resolve));
    let kept = (): void => undefined;
    const acts = new Promise<void>((resolve) => (kept = resolve));
    const rounds = [this.#handOutTokens(), this.#changeUsers(), this.#receiveVisitors()];
    const endless = [this.#correct(() => corrected()), this.#keepPeople(() => kept())];
    const all = [...rounds, ...endless].map((work) => work.catch(ignoreEnd));
    this.done = Promise.all(all).then(() => undefined);
    // A refused request ends the round too, and not only its task.
    this.round = Promise.race([Promise.all([firsts, acts, ...rounds]), ...endless]).then(() => undefined);
    for (const each of [this.done, this.round]) each.catch(() => undefined);
  }

  async #correct(onRound: () => void): Promise<never> {
    await this.#rightTime();
    for (let n = 0; ; n++) {
      const { time: at, day } = await this.#read<Time>('/api/time');
      const id = tagOf(CORRECTED, n % CORRECTED_TAGS);
      await this.#correctOnce({ action: 'add', day, id, at });
      if (this.#random.chance(SHARE_OF_VOIDS)) await this.#correctOnce({ action: 'void', day, id, at });
      if (n === CORRECTIONS_OF_A_ROUND) onRound();
    }
  }

  async #correctOnce(scan: {
    readonly action: 'add' | 'void';
    readonly day: number;
    readonly id: string;
    readonly at: number;
  }): Promise<void> {
    const { action, day, id, at } = scan;
    const reason = this.#ledger.corrections.nextReason();
    const lines = [`correcting ${reason} ${day} ${id} ${at} ${action}`, `corrected ${reason}`] as const;
    await this.#send('POST /api/corrections', { ...scan, reason }, ...lines);
  }

  async #handOutTokens(): Promise<void> {
    const { access } = this.#ledger;
    for (let n = 0; n < TOKENS_OF_A_ROUND; n++) {
      const label = access.nextLabel();
      const isKept = n % 2 === 0;
      const token = { label, role: isKept ? 'viewer' : 'kiosk' };
      const made = await this.#send('POST /api/tokens', token, `issuing ${label}`, `issued ${label}`);
      const { id } = made as { readonly id: string };
      if (isKept) continue;
      await this.#send(
        `DELETE /api/credentials?id=${id}`,
        undefined,
        `revoking ${label}`,
        `revoked ${label}`,
      );
    }
  }

  async #changeUsers(): Promise<void> {
    // A session that began before the right time was known would have expired long ago.
    await this.#rightTime();
    const steps = [
      () => this.#putUser(MOVER),
      () => this.#putUser(KEEPER),
      () => this.#signIn(KEEPER),
      () => this.#signOut(KEEPER),
      () => this.#signIn(KEEPER),
    ];
    // A run is short, so the first step is random: each step is the first one of some runs.
    const first = this.#random.between(0, steps.length - 1);
    for (const step of [...steps.slice(first), ...steps.slice(0, first)]) await step();
  }

  async #putUser(name: string): Promise<void> {
    const version = this.#ledger.access.nextVersion(name);
    const password = passwordOf(name, version);
    const user = { name, role: roleOf(name, version), ...(password !== undefined && { password }) };
    await this.#send('POST /api/users', user, `user-sent ${name} ${version}`, `user-kept ${name} ${version}`);
  }

  async #signIn(name: string): Promise<void> {
    const { access } = this.#ledger;
    const version = access.sureVersion(name);
    if (version === undefined || access.hasSession(name)) return;
    const password = passwordOf(name, version);
    await this.#send('POST /api/session', { name, password }, `signing-in ${name}`, `signed-in ${name}`);
  }

  async #signOut(name: string): Promise<void> {
    const all =
      await this.#read<readonly { kind: string; user: string; id: string }[]>('/api/credentials?all=1');
    const session = all.find(({ kind, user }) => kind === 'session' && user === name);
    if (session === undefined) return;
    const request = `DELETE /api/credentials?id=${session.id}`;
    await this.#send(request, undefined, `signing-out ${name}`, `signed-out ${name}`);
  }

  /**
   * First erases visitors from before the last kill. Then new visitors come, and some of them stay until the next
   * kill.
   */
  async #receiveVisitors(): Promise<void> {
    await this.#rightTime();
    for (const id of this.#ledger.erasures.visitors.slice(0, VISITORS_AT_ONCE)) await this.#erase(id);
    for (let n = 0; n < VISITORS_OF_A_ROUND; n++) {
      const id = tagOf(VISITOR, this.#random.between(0, 0xff_ffff));
      await this.#send('POST /api/mapping', { id, name: nameOf(id, 1) }, `put ${id} 1`, `answered ${id} 1`);
      await this.#tap(id);
      const { time: at, day } = await this.#read<Time>('/api/time');
      await this.#correctOnce({ action: 'add', day, id: companionOf(id), at });
      if (n % 2 === 0) await this.#erase(id);
    }
  }

  async #erase(id: string): Promise<void> {
    const ids = [id, companionOf(id)];
    const lines = (verb: string): string => ids.map((each) => `${verb} ${each}`).join('; ');
    await this.#send('POST /api/erasures', { ids }, lines('erasing'), lines('erased'));
  }

  async #keepPeople(onRound: () => void): Promise<never> {
    await this.#rightTime();
    // A person whose erasure a kill has interrupted may still be listed, and is gone a moment later.
    while (await this.#isErasing()) await delay(LOOK_MS);
    let persons = await this.#readPersons();
    // They were not erased, and are not there any more: the ledger must find that.
    const missing = new Set<string>();
    for (let n = 0; ; n++) {
      if (n === ACTS_OF_A_ROUND) onRound();
      const number = numberOf(this.#random.between(0, PERSONS - 1));
      const id = persons.ids.get(number);
      const tag = tagOf(HELD, this.#random.between(0, TAGS_OF_PERSONS - 1));
      if (missing.has(number)) await this.#tap(tag);
      else if (id === undefined) persons.ids.set(number, await this.#putPerson(number));
      else if (this.#random.chance(0.1)) await this.#putPerson(number, id);
      else if (this.#random.chance(0.08)) {
        const lines = [`person-erasing ${number}`, `person-erased ${number}`] as const;
        await this.#send('POST /api/erasures', { people: [id] }, ...lines);
        const left = await this.#readPersons();
        for (const each of persons.ids.keys()) if (each !== number && !left.ids.has(each)) missing.add(each);
        persons = left;
      } else if (this.#random.chance(0.5)) await this.#tap(tag);
      else await this.#actOn(tag, { number, id, held: persons.held });
    }
  }

  async #isErasing(): Promise<boolean> {
    const erasures = await this.#read<readonly { readonly state: string }[]>('/api/erasures');
    return erasures.some(({ state }) => state === 'begun');
  }

  /** The ids of persons by number, and the tags that somebody holds. */
  async #readPersons(): Promise<{ readonly ids: Map<string, string>; readonly held: Set<string> }> {
    const people: ListedPerson[] = [];
    for (let after: string | null = ''; after !== null;) {
      const query: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const page: PeoplePage = await this.#read<PeoplePage>(`/api/people?limit=1000${query}`);
      people.push(...page.people);
      after = page.next;
    }
    const ids = people.flatMap(({ id, number }) => (number === null ? [] : [[number, id] as const]));
    const held = people.flatMap(({ tags }) => tags.filter(({ isLost }) => !isLost).map(({ id }) => id));
    return { ids: new Map(ids), held: new Set(held) };
  }

  async #putPerson(number: string, id?: string): Promise<string> {
    const version = this.#random.between(1, VERSIONS);
    const groups = GROUPS.filter(() => this.#random.chance(0.4));
    const person = {
      ...(id === undefined ? {} : { id }),
      number,
      name: nameOfPerson(number, version),
      groups,
    };
    const lines = [`person-sent ${number} ${version} ${groups.join('+')}`, `person-kept ${number}`] as const;
    return ((await this.#send('POST /api/person', person, ...lines)) as { readonly id: string }).id;
  }

  async #actOn(
    tag: string,
    { number, id, held }: { readonly number: string; readonly id: string; readonly held: Set<string> },
  ): Promise<void> {
    const { time: since } = await this.#read<Time>('/api/time');
    // Another act in this second would take the place of the last one.
    if (since <= this.#ledger.people.lastSince(tag)) return;
    const to = held.has(tag) ? this.#random.pick(['lost', 'returned', number]) : number;
    const act = to === number ? { act: 'give', person: id } : { act: to };
    const lines = [`act-sent ${tag} ${since} ${to}`, `act-kept ${tag}`] as const;
    await this.#send('POST /api/tag', { id: tag, ...act, since }, ...lines);
    if (to === number) held.add(tag);
    else held.delete(tag);
  }

  /** Resolves when the service knows the time. */
  async #rightTime(): Promise<void> {
    while (!(await this.#read<Time>('/api/time')).isTrusted) await delay(LOOK_MS);
  }

  async #read<T>(path: string): Promise<T> {
    const answer = await this.#requests.read<T>(path);
    if (answer === undefined) throw new Gone();
    return answer;
  }

  async #send(
    request: string,
    body: object | undefined,
    sent: string,
    acknowledged: string,
  ): Promise<unknown> {
    const answer = await this.#requests.send({ request, ...(body && { body }), sent, acknowledged });
    if (answer === undefined) throw new Gone();
    return answer;
  }
}

/** Whether a tag is never tapped. */
export function isCorrected(id: string): boolean {
  return id.startsWith(CORRECTED) || id.startsWith(COMPANION);
}

function ignoreEnd(error: unknown): void {
  if (!(error instanceof Gone)) throw error;
}

/** The tag that is corrected and erased with that of a visitor. */
function companionOf(visitor: string): string {
  return COMPANION + visitor.slice(COMPANION.length);
}

/** Two persons each have the same first name and the same last name. */
function numberOf(person: number): string {
  return `P${Math.floor(person / 2)}${person % 2 === 0 ? 'a' : 'b'}`;
}

function tagOf(prefix: string, number: number): string {
  return `${prefix}${number.toString(16).toUpperCase().padStart(6, '0')}`;
}
