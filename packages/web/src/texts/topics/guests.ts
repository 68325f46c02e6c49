import type { Topic } from '../language.js';

const en = {
  title: 'Add a guest',
  host: 'Visiting (optional)',
  reason: 'Reason (optional)',
  lend: 'Lend a badge',
  badge: 'Badge',
  badgeHint: 'Hold it to a reader, or type its number.',
  /** Of a tag that was tapped while a badge was awaited. */
  held: (tag: string, name: string) => `${tag} belongs to ${name}. Lend a badge that nobody has.`,
  badgeTaken: 'Somebody holds this badge, or it is lost. Take it back first, or lend another one.',
  clock: 'The clock of the service is not right. Set the right time first, on the page System.',
  save: 'Add the guest',
  added: (name: string) => `${name} was added.`,
  /** Persons whose names fit what was typed. */
  known: 'Already known',
  isHere: (name: string) => `${name} is here`,
  isHereNow: 'Is here',
  noted: (name: string) => `${name} is here.`,
  takeBackHint: 'Hold the badge to a reader.',
  takenBack: (tag: string, name: string) => `Taken back: ${tag}, from ${name}.`,
  notLent: (tag: string) => `${tag} is not lent to a guest.`,
  lent: 'Lent badges',
  noneLent: 'No badge is lent.',
  take: 'Take back',
  /** Of a person. */
  since: 'Guest since',
  visits: 'Visiting',
  why: 'Reason',
  makeMember: 'Make a member',
};

/** Texts about guests, and about people who are here without a tag. */
export const guestTexts: Topic<typeof en> = {
  en,
  de: {
    title: 'Gast eintragen',
    host: 'Besucht (freiwillig)',
    reason: 'Anlass (freiwillig)',
    lend: 'Chip ausleihen',
    badge: 'Gästechip',
    badgeHint: 'An einen Leser halten, oder die Nummer eintippen.',
    held: (tag, name) => `${tag} gehört ${name}. Leihen Sie einen Chip aus, den niemand hat.`,
    badgeTaken:
      'Diesen Chip hat jemand, oder er ist verloren. Nehmen Sie ihn zuerst zurück, oder leihen Sie einen anderen aus.',
    clock: 'Die Uhr des Dienstes geht falsch. Stellen Sie sie zuerst, auf der Seite Wartung.',
    save: 'Gast eintragen',
    added: (name) => `${name} ist eingetragen.`,
    known: 'Schon bekannt',
    isHere: (name) => `${name} ist da`,
    isHereNow: 'Ist da',
    noted: (name) => `${name} ist da.`,
    takeBackHint: 'Halten Sie den Chip an einen Leser.',
    takenBack: (tag, name) => `Zurückgenommen: ${tag}, von ${name}.`,
    notLent: (tag) => `${tag} ist an keinen Gast ausgeliehen.`,
    lent: 'Ausgeliehene Chips',
    noneLent: 'Kein Chip ist ausgeliehen.',
    take: 'Zurücknehmen',
    since: 'Gast seit',
    visits: 'Besucht',
    why: 'Anlass',
    makeMember: 'Zum Mitglied machen',
  },
};
