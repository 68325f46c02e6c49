import type { Topic } from '../messages.js';

export interface AccessTexts {
  readonly users: string;
  readonly usersHint: string;
  readonly usersOpen: string;
  readonly addUser: string;
  readonly name: string;
  readonly nameRule: string;
  readonly nameTaken: string;
  readonly role: string;
  readonly roleHint: Readonly<Record<string, string>>;
  readonly password: string;
  readonly hasPassword: string;
  readonly noPassword: string;
  readonly noPasswordHint: string;
  readonly givePassword: string;
  readonly endTokens: string;
  readonly since: string;
  readonly change: string;
  changeOf(name: string): string;
  readonly save: string;
  saved(name: string): string;
  readonly removeUser: string;
  removeTitle(name: string): string;
  readonly removeHint: string;
  removed(name: string): string;
  readonly lastAdmin: string;
  readonly you: string;
  readonly here: string;
  readonly badPassword: string;
  readonly tokens: string;
  readonly tokensHint: string;
  readonly noTokens: string;
  readonly makeToken: string;
  readonly label: string;
  readonly labelHint: string;
  readonly labelMissing: string;
  readonly ends: string;
  readonly never: string;
  readonly days: string;
  readonly tokenMade: string;
  readonly tokenOnce: string;
  readonly token: string;
  readonly copy: string;
  readonly copied: string;
  readonly notCopied: string;
  readonly finish: string;
  readonly kinds: Readonly<Record<'session' | 'token', string>>;
  readonly kind: string;
  readonly whose: string;
  readonly lastUsed: string;
  readonly unused: string;
  readonly until: string;
  readonly revoke: string;
  revokeOf(label: string): string;
  revoked(label: string): string;
  readonly sessions: string;
  readonly sessionsHint: string;
  readonly ownPassword: string;
  readonly ownPasswordHint: string;
  readonly current: string;
  readonly currentMissing: string;
  readonly currentWrong: string;
  readonly changed: string;
  signedInAs(name: string): string;
  /** @param label Name of the identity provider for people. */
  signOutAt(label: string): string;
  readonly administration: string;
}

/** Texts about users, tokens and one's own account. */
export const accessTexts: Topic<AccessTexts> = {
  en: {
    users: 'Users',
    usersHint: 'Who may sign in, and what they may do. People who tap at a reader need no user.',
    usersOpen: 'Nobody has to sign in here so far. As soon as there is a user, everybody has to.',
    addUser: 'Add a user',
    name: 'Name to sign in with',
    nameRule: 'A name has 1 to 64 letters, digits and . _ - @ +, and begins with a letter or a digit.',
    nameTaken: 'Somebody has this name already.',
    role: 'Role',
    roleHint: {
      viewer: 'Sees everything that is recorded.',
      kiosk: 'Sees who is here today, and nothing else.',
      desk: 'Names, corrections, muster lists and files.',
      admin: 'May do everything.',
      device: 'Sends taps, and reads nothing.',
      station: 'Another Tallybook, which sends its taps here.',
    },
    password: 'Password',
    hasPassword: 'Set',
    noPassword: 'None',
    noPasswordHint: 'Without a password they sign in through a proxy.',
    givePassword: 'Give a new password',
    endTokens: 'End their tokens too',
    since: 'Since',
    change: 'Change',
    changeOf: (name) => `Change: ${name}`,
    save: 'Save',
    saved: (name) => `${name} is saved.`,
    removeUser: 'Remove',
    removeTitle: (name) => `Remove ${name}?`,
    removeHint: 'They are signed out everywhere at once. Their actions stay in the audit trail.',
    removed: (name) => `${name} is removed.`,
    lastAdmin: 'This is the last administrator. Make somebody else one first.',
    you: 'You',
    here: 'This browser',
    badPassword: 'Choose another password: this one is too short, too common, or nearly the name.',
    tokens: 'Tokens and sessions',
    tokensHint: 'A token lets a program or a device in. A session is a browser with somebody signed in.',
    noTokens: 'There is none.',
    makeToken: 'Make a token',
    label: 'For what',
    labelHint: 'Such as the reader or the program that gets it.',
    labelMissing: 'Say for what it is.',
    ends: 'Ends after',
    never: 'Never',
    days: 'days',
    tokenMade: 'The token',
    tokenOnce: 'It is shown only once. Copy it now.',
    token: 'Token',
    copy: 'Copy',
    copied: 'Copied.',
    notCopied: 'This browser does not copy here. It is selected: press Ctrl+C.',
    finish: 'I have copied it',
    kinds: { session: 'Session', token: 'Token' },
    kind: 'Kind',
    whose: 'Whose',
    lastUsed: 'Last used',
    unused: 'Not yet',
    until: 'Until',
    revoke: 'End',
    revokeOf: (label) => `End: ${label}`,
    revoked: (label) => `“${label}” is ended.`,
    sessions: 'Where you are signed in',
    sessionsHint: 'End sessions that you do not know, and change your password.',
    ownPassword: 'Change your password',
    ownPasswordHint: 'You stay signed in here, and are signed out everywhere else.',
    current: 'Current password',
    currentMissing: 'Enter your current password.',
    currentWrong: 'The current password is wrong.',
    changed: 'Your password is changed.',
    signedInAs: (name) => `Signed in as ${name}`,
    signOutAt: (label) => `Sign out here and at ${label}`,
    administration: 'Administration',
  },
  de: {
    users: 'Benutzer',
    usersHint:
      'Wer sich anmelden darf, und was er darf. Wer nur einen Chip an den Leser hält, braucht keinen Benutzer.',
    usersOpen: 'Bisher muss sich hier niemand anmelden. Sobald es einen Benutzer gibt, müssen es alle.',
    addUser: 'Benutzer eintragen',
    name: 'Name zum Anmelden',
    nameRule:
      'Ein Name hat 1 bis 64 Buchstaben, Ziffern und . _ - @ +, am Anfang einen Buchstaben oder eine Ziffer.',
    nameTaken: 'Diesen Namen hat schon jemand.',
    role: 'Rolle',
    roleHint: {
      viewer: 'Sieht alles, was aufgezeichnet ist.',
      kiosk: 'Sieht, wer heute da ist, und sonst nichts.',
      desk: 'Namen, Korrekturen, Notfalllisten und Dateien.',
      admin: 'Darf alles.',
      device: 'Schickt Buchungen, und liest nichts.',
      station: 'Ein anderes Tallybook, dessen Buchungen hier zusammenkommen.',
    },
    password: 'Passwort',
    hasPassword: 'Gesetzt',
    noPassword: 'Keines',
    noPasswordHint: 'Ohne Passwort meldet ein Proxy die Person an.',
    givePassword: 'Neues Passwort geben',
    endTokens: 'Auch die Token beenden',
    since: 'Seit',
    change: 'Ändern',
    changeOf: (name) => `Ändern: ${name}`,
    save: 'Speichern',
    saved: (name) => `${name} ist gespeichert.`,
    removeUser: 'Entfernen',
    removeTitle: (name) => `${name} entfernen?`,
    removeHint: 'Die Person ist sofort überall abgemeldet. Ihre Handlungen bleiben im Protokoll.',
    removed: (name) => `${name} ist entfernt.`,
    lastAdmin: 'Das ist die letzte Verwaltung. Geben Sie zuerst jemand anderem diese Rolle.',
    you: 'Sie',
    here: 'Dieser Browser',
    badPassword: 'Wählen Sie ein anderes Passwort: Dieses ist zu kurz, zu verbreitet oder fast der Name.',
    tokens: 'Zugänge und Sitzungen',
    tokensHint:
      'Ein Zugang lässt ein Programm oder Gerät herein. Eine Sitzung ist ein Browser, in dem jemand angemeldet ist.',
    noTokens: 'Es gibt keine.',
    makeToken: 'Zugang anlegen',
    label: 'Wofür',
    labelHint: 'Etwa der Leser oder das Programm, das ihn bekommt.',
    labelMissing: 'Sagen Sie, wofür er ist.',
    ends: 'Endet nach',
    never: 'Nie',
    days: 'Tagen',
    tokenMade: 'Der Zugang',
    tokenOnce: 'Er ist nur dieses eine Mal zu sehen. Kopieren Sie ihn jetzt dorthin, wo er hingehört.',
    token: 'Zugangsschlüssel',
    copy: 'Kopieren',
    copied: 'Kopiert.',
    notCopied: 'Dieser Browser kopiert hier nicht. Er ist markiert: Drücken Sie Strg+C.',
    finish: 'Ich habe ihn kopiert',
    kinds: { session: 'Sitzung', token: 'Zugang' },
    kind: 'Art',
    whose: 'Von wem',
    lastUsed: 'Zuletzt benutzt',
    unused: 'Noch nicht',
    until: 'Bis',
    revoke: 'Beenden',
    revokeOf: (label) => `Beenden: ${label}`,
    revoked: (label) => `„${label}“ ist beendet.`,
    sessions: 'Wo Sie angemeldet sind',
    sessionsHint: 'Beenden Sie Sitzungen, die Sie nicht kennen, und ändern Sie Ihr Passwort.',
    ownPassword: 'Passwort ändern',
    ownPasswordHint: 'Hier bleiben Sie angemeldet, überall sonst werden Sie abgemeldet.',
    current: 'Bisheriges Passwort',
    currentMissing: 'Geben Sie Ihr bisheriges Passwort ein.',
    currentWrong: 'Das bisherige Passwort ist falsch.',
    changed: 'Ihr Passwort ist geändert.',
    signedInAs: (name) => `Angemeldet als ${name}`,
    signOutAt: (label) => `Hier und bei ${label} abmelden`,
    administration: 'Verwaltung',
  },
};
