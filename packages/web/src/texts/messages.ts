/** The languages that the page speaks. */
export type Language = 'en' | 'de';

/**
 * Texts of one page, in each language, loaded with the page.
 *
 * @see Messages for the texts that are loaded at the start.
 */
export type Topic<T> = Readonly<Record<Language, T>>;

/**
 * Every text that is loaded at the start. Each language is one object of this type, so that a missing text does not compile.
 * Texts with a number are functions, because languages differ in their plurals.
 */
export interface Messages {
  /** Language tag (BCP 47), for the `lang` of the page. */
  readonly language: Language;
  readonly app: {
    readonly name: string;
    readonly skipToContent: string;
    readonly navigation: string;
    readonly loading: string;
    readonly close: string;
    readonly cancel: string;
    readonly notFound: string;
    readonly notFoundHint: string;
    readonly backToToday: string;
    readonly tryAgain: string;
    readonly undo: string;
    readonly undone: string;
  };
  readonly access: {
    readonly account: string;
    accountOf(name: string): string;
    /** Words for roles, by the names of the roles in the service. */
    readonly roles: Readonly<Record<string, string>>;
    readonly signIn: string;
    readonly signOut: string;
    readonly insecure: string;
    readonly insecureHint: string;
    endsAt(time: string): string;
    readonly goOn: string;
    readonly kioskHint: string;
    readonly notAllowed: string;
    signedInAs(name: string, role: string): string;
    readonly signInAsOther: string;
    /** Word for an actor while nobody had to sign in. */
    readonly anyone: string;
    readonly notServed: string;
  };
  readonly connection: {
    readonly live: string;
    readonly connecting: string;
    /** @param since The time of day, or the length of time. */
    lost(since: string, duration: string): string;
    readonly lostHint: string;
  };
  readonly clock: {
    readonly untrusted: string;
    readonly untrustedHint: string;
  };
  readonly tap: {
    readonly counted: string;
    readonly alreadyCounted: string;
    readonly provisional: string;
    readonly failedKept: string;
    readonly failedLost: string;
    readonly unknownTag: string;
    readonly giveName: string;
    /** For a screen reader, a few seconds after the last tap. */
    announce(names: readonly string[], others: number, present: number): string;
  };
  /** Labels of columns of tables. */
  readonly columns: {
    readonly name: string;
    readonly first: string;
    readonly last: string;
    readonly taps: string;
    readonly reader: string;
    readonly day: string;
    readonly days: string;
    readonly when: string;
  };
  readonly today: {
    readonly title: string;
    here(count: number): string;
    readonly nobody: string;
    readonly nobodyHint: string;
    unnamed(count: number): string;
    readonly unnamedHint: string;
    /** Opens the rest of a list. */
    more(count: number): string;
    readonly people: string;
    readonly search: string;
    found(count: number): string;
    readonly timeUnknown: string;
    guests(count: number): string;
    readonly lastTap: string;
  };
  readonly guest: {
    readonly add: string;
    readonly title: string;
    readonly name: string;
    readonly nameMissing: string;
    readonly kept: string;
    readonly notKept: string;
    readonly save: string;
    readonly remove: string;
    added(name: string): string;
    readonly mark: string;
  };
  readonly kiosk: {
    readonly title: string;
    readonly ready: string;
    readonly readyHint: string;
    here(count: number): string;
    readonly readersWell: string;
    readerTrouble(name: string, since: string): string;
    readonly readerTroubleHint: string;
    /** In one or two words. */
    readonly readerMissing: string;
    readonly noReaders: string;
    /** The answer of the light, in words beside the colour of the screen. */
    readonly welcome: string;
    readonly leave: string;
  };
  readonly days: {
    readonly title: string;
    readonly previousYear: string;
    readonly nextYear: string;
    readonly thisMonth: string;
    readonly lastMonth: string;
    readonly wholeYear: string;
    readonly from: string;
    readonly to: string;
    readonly wrongDate: string;
    /** How to choose days in the calendar. */
    readonly hint: string;
    readonly legend: string;
    people(count: number): string;
    /** Number of days with a record in a range. */
    days(count: number): string;
    readonly nobody: string;
    readonly nobodyHint: string;
    readonly cannotRead: string;
    readonly tooLong: string;
    readonly shape: string;
    readonly byPerson: string;
    readonly byDay: string;
    more(count: number): string;
    readonly save: string;
    readonly csv: string;
    readonly xlsx: string;
    readonly remove: string;
    removeTitle(day: string): string;
    removeHint(people: string): string;
    removeConfirm(day: string): string;
    removed(day: string): string;
    readonly notRemoved: string;
  };
  readonly person: {
    readonly title: string;
    tags(count: number): string;
    readonly never: string;
    readonly neverHint: string;
    /** Number of days, and the median of the first taps. */
    summary(days: string, first: string): string;
    readonly picture: string;
    readonly toDays: string;
  };
  readonly care: {
    readonly title: string;
    readonly service: string;
    readonly version: string;
    readonly startedAt: string;
    readonly storageLeft: string;
    readonly storageUsed: string;
    readonly inMemory: string;
    readonly unknown: string;
    readonly forPrograms: string;
    readonly clock: string;
    readonly clockGood: string;
    readonly clockBad: string;
    readonly time: string;
    readonly day: string;
    readonly zone: string;
    readonly why: string;
    readonly basis: Readonly<Record<'synchronised' | 'set' | 'assumed', string>>;
    readonly doubt: Readonly<Record<'before-build' | 'not-synchronised' | 'before-last-scan', string>>;
    readonly latestScan: string;
    suspect(when: string): string;
    readonly setTime: string;
    readonly setTimeTitle: string;
    setTimeHint(device: string, service: string): string;
    readonly setTimeAnyway: string;
    setTo(time: string): string;
    /** Label for the kind of device of a reader. */
    readonly kind: string;
    readonly timeSet: string;
    readonly synchronised: string;
    readonly failed: string;
    readonly readers: string;
    readonly noReaders: string;
    readonly connected: string;
    readonly waiting: string;
    since(when: string): string;
    readonly lastReading: string;
    readonly never: string;
    readonly faults: string;
    readonly noFaults: string;
    faultySince(when: string): string;
    /** Meaning of each code; unknown codes are shown as they are. */
    readonly fault: Readonly<Record<string, string>>;
    readonly said: string;
    readonly record: string;
    readonly allWritten: string;
    backlog(count: number, limit: number): string;
    refused(count: number): string;
    provisional(count: number): string;
    readonly noProvisional: string;
    estimated(count: number): string;
    notBefore(when: string): string;
    between(earliest: string, latest: string): string;
    readonly publishers: string;
    readonly receiverAway: string;
    messages(count: number): string;
    readonly backup: string;
    readonly backupHint: string;
    readonly backupSave: string;
  };
  readonly muster: {
    readonly title: string;
    readonly print: string;
    present(count: number): string;
    ticked(count: number, of: number): string;
    printedAt(when: string): string;
    asOf(when: string): string;
    readonly live: string;
    stale(duration: string): string;
    staleHint(when: string): string;
    readonly nothingKnown: string;
    readonly nothingKnownHint: string;
    /** Number of people who are known only by the id of a tag. */
    unnamed(count: number): string;
    tick(name: string): string;
    readonly clear: string;
    /** Meaning of the time beside a name. */
    readonly times: string;
  };
  readonly names: {
    readonly title: string;
    people(count: number): string;
    tagCount(count: number): string;
    readonly nobody: string;
    readonly nobodyHint: string;
    readonly search: string;
    readonly nobodyFound: string;
    readonly nobodyFoundHint: string;
    readonly first: string;
    readonly last: string;
    readonly nameMissing: string;
    readonly tag: string;
    readonly tags: string;
    readonly anotherTag: string;
    readonly tagHint: string;
    readonly tagInvalid: string;
    readonly tagWhich: string;
    readonly tagMissing: string;
    tagMoves(owner: string): string;
    readonly removeTag: string;
    /** Text of the link to the days of a person. */
    readonly presence: string;
    readonly add: string;
    readonly save: string;
    saved(name: string): string;
    readonly remove: string;
    removed(name: string): string;
  };
  readonly enrol: {
    readonly title: string;
    readonly hint: string;
    readonly hold: string;
    whose(id: string): string;
    waiting(count: number): string;
    known(name: string): string;
    readonly rename: string;
    anotherTag(name: string, count: number): string;
    readonly keys: string;
    readonly skip: string;
    done(count: number): string;
    readonly doneHint: string;
    readonly seen: string;
    readonly unnamedHint: string;
  };
  readonly import: {
    readonly title: string;
    /** Short title, for a button. */
    readonly short: string;
    readonly hint: string;
    readonly choose: string;
    readonly formats: string;
    readonly paste: string;
    /** Three sample lines of a list. */
    readonly sample: string;
    readonly check: string;
    wouldChange(count: number): string;
    /** Label of the spelling of the ids. */
    readonly numbers: string;
    readonly encoding: string;
    readonly counts: Readonly<Record<'added' | 'changed' | 'same' | 'refused', string>>;
    refused(count: number): string;
    readonly refusedHint: string;
    lineNumber(line: string): string;
    more(count: number): string;
    readonly back: string;
    take(count: number): string;
    takeOthers(count: number): string;
    taken(count: number): string;
    readonly line: string;
    readonly before: string;
    readonly isNew: string;
  };
  readonly failure: {
    readonly unreachable: string;
    readonly tooLarge: string;
    tooSoon(seconds: number): string;
    /**
     * @param message In the English words of the service.
     * @param code Code of the service, or a status of HTTP.
     */
    unexpected(message: string, code?: string | number): string;
    /** By the code of the service; some codes cannot occur here. */
    /** @param roles Names of the roles with this right, separated by commas. */
    onlyFor(roles: string): string;
    readonly codes: Readonly<Partial<Record<string, string>>>;
  };
}
