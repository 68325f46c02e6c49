import type { ShownAccess } from './contents.js';

/** Whether a session or a token is there; `unsure` while a request changes it. */
type Presence = 'there' | 'unsure' | 'gone';

interface UserAccount {
  /** The latest acknowledged version, or the version at the last settlement; 0: none. */
  sure: number;
  /** Versions that were sent after `sure`. */
  readonly open: Set<number>;
  /** A new password ends it. */
  session: Presence;
}

/** Sent and acknowledged changes of users, sessions and tokens. A user or token has one change at a time. */
export class AccessLedger {
  /** The handlers of lines, by their verbs. Made once: the ledger of one power cut reads thousands of lines. */
  static readonly #steps: ReadonlyMap<string, (ledger: AccessLedger, first: string, second: string) => void> =
    new Map([
      ['user-sent', (ledger, name, version) => ledger.#sent(name, Number(version))],
      ['user-kept', (ledger, name, version) => ledger.#kept(name, Number(version))],
      ['signing-in', (ledger, name) => (ledger.#user(name).session = 'unsure')],
      ['signed-in', (ledger, name) => ledger.#signedIn(name)],
      ['signing-out', (ledger, name) => (ledger.#user(name).session = 'unsure')],
      ['signed-out', (ledger, name) => ledger.#signedOut(name)],
      ['issuing', (ledger, label) => ledger.#issue(label)],
      ['issued', (ledger, label) => ledger.#acknowledge(label, 'there')],
      ['revoking', (ledger, label) => ledger.#tokens.set(label, 'unsure')],
      ['revoked', (ledger, label) => ledger.#acknowledge(label, 'gone')],
    ]);

  readonly #users = new Map<string, UserAccount>();
  /** By label. */
  readonly #tokens = new Map<string, Presence>();
  /** Users whose version was found right, and who were not changed since. */
  readonly #settled = new Set<string>();
  /** Number of acknowledged changes, and of begun sessions among them. */
  changes = 0;
  sessions = 0;
  #labels = 0;

  /** A label that no token has had. */
  nextLabel(): string {
    return `t${this.#labels + 1}`;
  }

  nextVersion(name: string): number {
    const { sure, open } = this.#user(name);
    return Math.max(sure, ...open) + 1;
  }

  /** The versions that each user may have, the most likely one first. */
  get versions(): ReadonlyMap<string, readonly number[]> {
    return new Map([...this.#users].map(([name, { sure, open }]) => [name, [sure, ...open]]));
  }

  /** The version of a user whose password is known for certain. */
  sureVersion(name: string): number | undefined {
    const { sure, open } = this.#user(name);
    return sure > 0 && open.size === 0 ? sure : undefined;
  }

  /** Whether the password of a user was found right and not changed since: checking it again takes long. */
  isSettled(name: string): boolean {
    return this.#settled.has(name);
  }

  hasSession(name: string): boolean {
    return this.#user(name).session !== 'gone';
  }

  /** Reads a line. Returns whether it is about access. */
  take(verb: string, first: string, second: string): boolean {
    const step = AccessLedger.#steps.get(verb);
    step?.(this, first, second);
    return step !== undefined;
  }

  *judge({ users, sessions, tokens }: ShownAccess): Generator<string> {
    const shown = new Map(users.map((user) => [user.name, user]));
    for (const { name, version } of users) {
      const { sure, open } = this.#user(name);
      if (version === undefined) yield `the user ${name} is none that was sent`;
      else if (version < sure) yield `the user ${name} is version ${version}, but ${sure} was acknowledged`;
      else if (version > sure && !open.has(version))
        yield `version ${version} of the user ${name} was never sent`;
    }
    for (const [name, { sure, session }] of this.#users) {
      if (sure > 0 && !shown.has(name)) yield `the user ${name} is gone; version ${sure} was acknowledged`;
      const count = sessions.filter((user) => user === name).length;
      if (session === 'there' && count === 0) yield `the session of ${name} is gone; it was acknowledged`;
      if (session === 'gone' && count > 0) yield `a session of ${name} is there; it was ended`;
      if (count > 1) yield `${name} has ${count} sessions, and signed in once`;
    }
    for (const label of tokens) {
      const presence = this.#tokens.get(label);
      if (presence === undefined) yield `nobody asked for the token ${label}`;
      if (presence === 'gone') yield `the token ${label} is there; it was revoked`;
    }
    if (new Set(tokens).size < tokens.length) yield `a token is there twice`;
    for (const [label, presence] of this.#tokens) {
      if (presence === 'there' && !tokens.includes(label)) {
        yield `the token ${label} is gone; it was acknowledged`;
      }
    }
  }

  settle({ users, sessions, tokens }: ShownAccess): void {
    for (const [name, account] of this.#users) {
      account.sure = users.find((user) => user.name === name)?.version ?? 0;
      account.open.clear();
      this.#settled.add(name);
      account.session = sessions.includes(name) ? 'there' : 'gone';
    }
    for (const label of this.#tokens.keys())
      this.#tokens.set(label, tokens.includes(label) ? 'there' : 'gone');
  }

  #sent(name: string, version: number): void {
    const account = this.#user(name);
    account.open.add(version);
    this.#settled.delete(name);
    if (account.session === 'there') account.session = 'unsure';
  }

  #kept(name: string, version: number): void {
    const account = this.#user(name);
    account.sure = version;
    for (const each of account.open) if (each <= version) account.open.delete(each);
    account.session = 'gone';
    this.changes++;
  }

  #issue(label: string): void {
    this.#labels++;
    this.#tokens.set(label, 'unsure');
  }

  #signedIn(name: string): void {
    this.#user(name).session = 'there';
    this.sessions++;
    this.changes++;
  }

  #signedOut(name: string): void {
    this.#user(name).session = 'gone';
    this.changes++;
  }

  #acknowledge(label: string, presence: Presence): void {
    this.#tokens.set(label, presence);
    this.changes++;
  }

  #user(name: string): UserAccount {
    const account = this.#users.get(name) ?? { sure: 0, open: new Set(), session: 'gone' };
    this.#users.set(name, account);
    return account;
  }
}
