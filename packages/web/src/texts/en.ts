import { lazily } from '../lazily.js';
import { pluralOf, type Language, type Texts } from './language.js';

const plural = pluralOf('en');
const list = lazily(() => new Intl.ListFormat('en', { type: 'conjunction' }));

const TAG_RULE =
  'A tag number has 6 to 20 digits from 0 to 9 and A to F, or is a number as your readers deliver it.';
const DISK = 'The service cannot write to its disk at the moment. Nothing was saved.';

/**
 * The texts that are loaded at the start. Texts with a number are functions, because languages differ in their plurals.
 */
export const en = {
  /** Language tag (BCP 47), for the `lang` of the page. */
  language: 'en' as Language,
  app: {
    name: 'Tallybook',
    skipToContent: 'Skip to content',
    navigation: 'Pages',
    loading: 'Loading …',
    close: 'Close',
    cancel: 'Cancel',
    save: 'Save',
    saved: (name: string) => `${name} was saved.`,
    remove: 'Remove',
    notFound: 'Page not found',
    notFoundHint: 'The address may be mistyped, or from another version.',
    backToToday: 'Go to Today',
    tryAgain: 'Try again',
    undo: 'Undo',
  },
  access: {
    account: 'Your account',
    accountOf: (name: string) => `Your account: ${name}`,
    /** By the names of the roles in the service. */
    roles: {
      viewer: 'Viewer',
      kiosk: 'Kiosk',
      desk: 'Front desk',
      admin: 'Administrator',
      device: 'Device',
      station: 'Station',
    },
    signIn: 'Sign in',
    signOut: 'Sign out',
    insecure: 'Nobody has to sign in.',
    insecureHint:
      'Anyone on this network can see and change everything: the service was started without access control.',
    endsAt: (time: string) =>
      `You are signed in until ${time}. Anything you type after that cannot be saved.`,
    goOn: 'Stay signed in',
    kioskHint: 'This screen stays blank until somebody signs in again.',
    notAllowed: 'You do not have access to this page',
    signedInAs: (name: string, role: string) => `You are signed in as “${name}”, with the role ${role}.`,
    signInAsOther: 'Sign in as another user',
    /** An actor while nobody had to sign in. */
    anyone: 'somebody (no sign-in)',
    notByGroup: 'You see only some groups, and this page is about everybody.',
    notServed: 'This service does not have this page.',
  },
  connection: {
    live: 'Live',
    connecting: 'Connecting …',
    lost: (since: string, duration: string) => `No connection since ${since} (${duration})`,
    lostHint: 'This is the last known state. It updates when the connection is back.',
  },
  clock: {
    untrusted: 'The clock of the service is not right yet',
    untrustedHint: 'Taps are kept, and get their day and time once the clock is right.',
  },
  tap: {
    counted: 'Counted',
    alreadyCounted: 'Already counted',
    provisional: 'Kept until the clock is right',
    failedKept: 'Not saved yet. The service keeps trying: no need to tap again.',
    failedLost: 'Not recorded. Please tap again.',
    unknownTag: 'Unnamed tag',
    lostTag: 'Lost tag',
    giveName: 'Give it a name',
    /** For a screen reader, a few seconds after the last tap. */
    announce: (names: readonly string[], others: number, present: number) =>
      `${list().format(others > 0 ? [...names, plural({ other: '# more' })(others)] : names)}. ${plural({ one: '# person is here', other: '# people are here' })(present)}.`,
  },
  columns: {
    name: 'Name',
    first: 'First tap',
    last: 'Last tap',
    taps: 'Taps',
    reader: 'Reader',
    day: 'Day',
    days: 'Days',
    when: 'When',
  },
  today: {
    title: 'Today',
    here: plural({ one: 'person is here', other: 'people are here' }),
    nobody: 'Nobody yet today',
    nobodyHint: 'People appear here as soon as they hold a tag to a reader.',
    unnamed: plural({ one: '# unnamed tag', other: '# unnamed tags' }),
    unnamedHint: 'Their taps are recorded. A name also applies to past taps.',
    more: plural({ other: '# more' }),
    people: 'People who are here',
    search: 'Search',
    found: plural({ other: '# found' }),
    timeUnknown: 'Time not known yet',
    guests: plural({ one: 'including # guest', other: 'including # guests' }),
    lost: 'Used today although lost, and counted for nobody:',
    lastTap: 'Last tap',
  },
  groups: {
    title: 'Groups',
    all: 'All',
  },
  guest: {
    add: 'Add a guest',
    takeBack: 'Take back a badge',
    mark: 'Guest',
  },
  kiosk: {
    title: 'Kiosk',
    ready: 'Hold your tag to the reader',
    readyHint: 'Your name appears here right away.',
    here: plural({ one: '# person is here', other: '# people are here' }),
    readersWell: 'Reader ready',
    readerTrouble: (name: string, since: string) => `Reader “${name}” missing since ${since}`,
    readerTroubleHint: 'Taps there are not recorded.',
    /** In one or two words. */
    readerMissing: 'Reader missing',
    noReaders: 'No reader',
    /** The answer of the light, in words beside the colour of the screen. */
    welcome: 'Welcome',
    leave: 'Leave kiosk',
  },
  days: {
    title: 'Days',
    previousYear: 'Previous year',
    nextYear: 'Next year',
    thisMonth: 'This month',
    lastMonth: 'Last month',
    wholeYear: 'Whole year',
    from: 'From',
    to: 'To',
    wrongDate: 'Enter a date.',
    hint: 'Choose a day. Drag, or hold Shift, to choose several.',
    legend: 'Stronger colour: more people',
    people: plural({ one: '# person', other: '# people' }),
    days: plural({ one: '# day', other: '# days' }),
    nobody: 'Nobody was here',
    nobodyHint: 'Nothing was recorded in this period.',
    cannotRead: 'The service is not responding.',
    tooLong: 'At most ten years can be shown at once.',
    shape: 'Show',
    byPerson: 'People',
    byDay: 'Every day',
    more: (count: number) =>
      plural({ one: 'One line more', other: '# lines more' })(count) + ': in the file.',
    save: 'Save as file',
    remove: 'Remove this day',
    removeTitle: (day: string) => `Remove ${day}?`,
    removeHint: (people: string) =>
      `This permanently deletes the record of ${people} on this day. Save it as a file first if you may need it.`,
    removeConfirm: (day: string) => `Yes, remove the record of ${day}`,
    removed: (day: string) => `The record of ${day} was removed.`,
  },
  people: {
    title: 'People',
  },
  system: {
    title: 'System',
  },
  muster: {
    title: 'Muster list',
    print: 'Print',
    ticked: (count: number, of: number) => `${count} of ${of} ticked`,
    printedAt: (when: string) => `Printed ${when}`,
    asOf: (when: string) => `As of ${when}`,
    live: 'Live: changes show at once',
    stale: (duration: string) => `${duration} old`,
    staleHint: (when: string) => `The service cannot be reached. This is who was here on ${when}.`,
    nothingKnown: 'No list available',
    nothingKnownHint: 'The service cannot be reached, and this browser has no earlier list.',
    unnamed: plural({ other: '# unnamed' }),
    tick: (name: string) => `${name} is safe`,
    clear: 'Clear ticks',
    times: 'Times: last tap',
  },
  enrol: {
    title: 'Give out tags',
    hint: 'Hold a tag to a reader, choose whose it is, and go on with the next.',
    hold: 'Hold a tag to a reader',
    whose: (id: string) => `Whose tag is ${id}?`,
    waiting: plural({ one: 'Waiting: # more tag.', other: 'Waiting: # more tags.' }),
    known: (name: string) => `The last tag already belongs to ${name}.`,
    rename: 'Rename',
    namesake: 'Saving adds another person of that name. One more tag for the same person:',
    next: 'Next',
    skip: 'Skip',
    done: (count: number) =>
      count === 0 ? 'Given out just now' : plural({ other: '# given out just now' })(count),
    doneHint: 'Tags that you give out appear here.',
    seen: 'Last seen',
    unnamedHint: 'Seen in the last 60 days. A name also applies to past taps.',
  },
  import: {
    title: 'Import a list',
    hint: 'You see the changes before they are saved. People who are not in the list stay.',
    choose: 'Choose a file, or drop it here',
    paste: 'Or paste lines here',
    /** Three lines of a list. */
    sample: 'Tag;First name;Last name\n04A2B3C4D5;Ada;Lovelace\n0011223344;Grace;Hopper',
    check: 'Preview changes',
    wouldChange: (count: number) =>
      count === 0
        ? 'Nothing would change'
        : plural({ one: '# name would change', other: '# names would change' })(count),
    numbers: 'Numbers',
    encoding: 'Encoding',
    counts: { added: 'New', changed: 'Changed', same: 'Unchanged', refused: 'Refused' },
    refused: plural({ one: '# line cannot be imported', other: '# lines cannot be imported' }),
    refusedHint: 'Correct the list and choose it again, or skip these lines.',
    lineNumber: (line: string) => `Line ${line}:`,
    more: plural({ one: 'And # more line.', other: 'And # more lines.' }),
    back: 'Another list',
    line: 'Line',
  },
  failure: {
    unreachable: 'The service did not respond. Your change may or may not have been saved. Try again later.',
    tooLarge: 'Too large: a list has at most 1 MB and 10,000 lines. Split it.',
    tooSoon: (seconds: number) =>
      plural({ one: 'Too many attempts. Wait # second.', other: 'Too many attempts. Wait # seconds.' })(
        seconds,
      ),
    /** `message` is in the English words of the service; the code is of the service, or a status of HTTP. */
    unexpected: (message: string, _code?: string | number) => `The service could not do it: ${message}`,
    onlyFor: (roles: string) =>
      `Your role does not allow this. Allowed roles: ${roles}. An administrator can give you another role.`,
    /** Some codes of the service cannot occur here. */
    codes: {
      INVALID_TALLY_ID: TAG_RULE,
      INVALID_NAME:
        'Each part of a name has at most 100 characters, and the name has at least one visible character.',
      INVALID_PASSWORD: 'Choose another password: this one is too short, too common, or nearly the name.',
      INVALID_USER: 'A name has 1 to 64 letters, digits and . _ - @ +, and begins with a letter or a digit.',
      LAST_ADMIN: 'This is the last administrator. Make somebody else one first.',
      STORE_UNAVAILABLE: DISK,
      STORE_WRITE_FAILED: DISK,
      NOT_ALLOWED: 'Your role does not allow this. An administrator can do it, or give you another role.',
      NOT_SIGNED_IN: 'You are no longer signed in. Sign in, and try again.',
    },
  },
};

export type Messages = Texts<typeof en>;
