/** A tap that a device sends until it is answered. */
export interface Tap {
  readonly id: string;
  /** Its second. No other tap has the same one. */
  readonly at: number;
}

/** A tag on a day, as a server shows them. */
export interface ShownTag {
  readonly id: string;
  /** Number of scans, by the entry. */
  readonly count: number;
  /** Seconds of its scans. */
  readonly scans: readonly number[];
}

/** The data that all servers together show. */
export interface Shown {
  readonly tags: readonly ShownTag[];
  /** Version of the name of each tag. */
  readonly names: ReadonlyMap<string, number>;
  /** The groups of each member, as a version. */
  readonly groups: ReadonlyMap<string, number>;
  /** Last names of the guests. */
  readonly guests: ReadonlySet<string>;
  /** Event ids of all changes of the journal. */
  readonly journal: readonly string[];
}

/** Versions of values: each is shown in its latest acknowledged version, or in a later one that was sent. */
class Versions {
  readonly #all = new Map<string, { sent: number; acknowledged: number }>();
  readonly #what: string;

  /** @param what What is between an id and its version in a problem. */
  constructor(what: string) {
    this.#what = what;
  }

  /** Number of acknowledged versions. */
  get acknowledged(): number {
    return [...this.#all.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** The version to send. */
  next(id: string): number {
    const its = this.#all.get(id) ?? { sent: 0, acknowledged: 0 };
    this.#all.set(id, its);
    return ++its.sent;
  }

  acknowledge(id: string, version: number): void {
    const its = this.#all.get(id);
    if (its !== undefined) its.acknowledged = version;
  }

  judge(shown: ReadonlyMap<string, number>): readonly string[] {
    return [...this.#all].flatMap(([id, { sent, acknowledged }]) => {
      const version = shown.get(id) ?? 0;
      return version >= acknowledged && version <= sent
        ? []
        : [`${id} ${this.#what} ${version}; ${acknowledged} was acknowledged and ${sent} sent`];
    });
  }
}

/** Notes requests and answers, and compares them with the data that the servers show. */
export class ServersLedger {
  readonly names: Versions = new Versions('has name');
  /** Groups of members. */
  readonly groups: Versions = new Versions('is in the groups');
  readonly #sent = new Map<number, string>();
  readonly #kept = new Set<number>();
  /** The outcome of each answered tap, except `repeated`. */
  readonly #told = new Map<number, string>();
  readonly #guests = new Set<string>();
  #guestsSent = 0;
  readonly #followed: string[] = [];
  readonly #broken: string[] = [];

  /** Number of begun and checked sessions. */
  sessions = 0;

  get taps(): number {
    return this.#kept.size;
  }

  get guests(): number {
    return this.#guests.size;
  }

  get followed(): number {
    return this.#followed.length;
  }

  signedIn(): void {
    this.sessions++;
  }

  /** Notes a problem. */
  broke(what: string): void {
    this.#broken.push(what);
  }

  sent({ id, at }: Tap): void {
    this.#sent.set(at, id);
  }

  /** The server answered that the tap is recorded, so the device may forget it. */
  answered({ id, at }: Tap, outcome: string): void {
    this.#kept.add(at);
    if (outcome === 'repeated') return;
    const before = this.#told.get(at);
    if (before !== undefined && before !== outcome) {
      this.#broken.push(`the tap of ${id} at ${at} was told ${before}, and then ${outcome}`);
    }
    this.#told.set(at, before ?? outcome);
  }

  /** The last name of the next guest. */
  guestComes(prefix: string): string {
    return `${prefix} ${++this.#guestsSent}`;
  }

  guestCame(name: string): void {
    this.#guests.add(name);
  }

  /** The event stream has delivered a change. */
  follow(eventId: string): void {
    this.#followed.push(eventId);
  }

  judge(shown: Shown): readonly string[] {
    return [
      ...this.#broken,
      ...this.#judgeTags(shown.tags),
      ...this.names.judge(shown.names),
      ...this.groups.judge(shown.groups),
      ...this.#judgeGuests(shown.guests),
      ...this.#judgeJournal(shown.journal),
    ];
  }

  #judgeTags(tags: readonly ShownTag[]): readonly string[] {
    const broken: string[] = [];
    const shown = new Map(tags.flatMap(({ id, scans }) => scans.map((at) => [at, id] as const)));
    for (const at of this.#kept) {
      if (shown.get(at) !== this.#sent.get(at)) {
        broken.push(`the tap of ${this.#sent.get(at) ?? '?'} at ${at} was acknowledged, and is lost`);
      }
    }
    for (const { id, count, scans } of tags) {
      const strange = scans.filter((at) => this.#sent.get(at) !== id);
      if (strange.length > 0) broken.push(`${id} has scans that nobody sent: ${strange.join(', ')}`);
      if (count !== new Set(scans).size) broken.push(`${id} has ${scans.length} scans, and counts ${count}`);
      const first = scans.filter((at) => this.#told.get(at) === 'counted');
      if (first.length > 1) broken.push(`${id} was told ${first.length} times that it is there first`);
    }
    return broken;
  }

  #judgeGuests(guests: ReadonlySet<string>): readonly string[] {
    const lost = [...this.#guests].filter((name) => !guests.has(name));
    return lost.map((name) => `the guest ${name} was acknowledged, and is no guest`);
  }

  #judgeJournal(journal: readonly string[]): readonly string[] {
    const broken = this.#followed.flatMap((id, n) =>
      id === journal[n]
        ? []
        : [`change ${n + 1} of the stream was ${id}, and the journal has ${journal[n] ?? 'none'}`],
    );
    if (this.#followed.length < journal.length) {
      broken.push(`the stream told ${this.#followed.length} of ${journal.length} changes`);
    }
    return broken;
  }
}
