import { pluralOf, type Topic } from '../language.js';

const english = pluralOf('en');
const german = pluralOf('de');

/** `24months`, in words. */
function unitsOf(text: string, language: 'en' | 'de'): string {
  const [, digits, unit] = /^(\d+)(day|month|year)s?$/.exec(text) ?? [];
  if (unit === undefined) return text;
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(digits));
}

const en = {
  title: 'Personal data',
  hint: 'What is stored about somebody, how to hand it over, and how to erase it.',
  titleOf: (name: string) => `Personal data: ${name}`,
  kept: 'What is stored',
  name: 'Name under this tag',
  yes: 'Stored',
  no: 'None',
  provisional: 'Taps with an uncertain time',
  corrections: 'Corrections',
  changes: 'In the journal',
  backups: 'Backups that contain it too',
  noBackups: 'None in the backup folder.',
  backupsHint: 'An erasure does not change backups. Data restored from them is refused.',
  /** After the name of a file: the reason is `not a file`, or a code of the system. */
  unsearched: (why: string) => `(perhaps: could not be searched, ${why})`,
  data: 'All data of this person',
  dataHint: 'A file with everything stored about them, and a legend, to hand over on request.',
  saveData: 'Save the data',
  erase: 'Erase',
  eraseHint: 'Deletes the name, every day and every tap, everywhere and permanently. This cannot be undone.',
  eraseTitle: (name: string) => `Erase ${name} permanently?`,
  eraseWarning: 'No import and no device that was offline can bring the data back.',
  confirm: (text: string) => `To confirm, type “${text}”`,
  erased: 'All data of this person was erased.',
  scrubbed: 'No trace of it is left in the store.',
  notScrubbed: 'The files of the store are being rewritten, which may take a while.',
  handleBackups: 'Remove these backups, or note until when they are kept:',
  retention: 'How long it is kept',
  keeps: (time: string) => `Days are kept for ${time}. Older ones are removed once a day.`,
  keepsAll: 'All days are kept. The settings, on the page System, can limit that.',
  nothingGoes: 'Nothing would be removed today.',
  goes: (days: number, entries: number) =>
    `Today ${english({ one: '# day', other: '# days' })(days)} with ${english({ one: '# entry', other: '# entries' })(entries)} would be removed.`,
  firstKept: (day: string) => `The first day that stays is ${day}.`,
  doubt: {
    'clock-not-trusted': 'Nothing is removed while the clock may be wrong.',
    'leap-in-time': 'Nothing is removed: the clock is far ahead of the last tap. Is it right?',
    'many-days': 'Nothing is removed: it would be unusually many days. “tallybook retention” removes them.',
  },
  units: (text: string) => unitsOf(text, 'en'),
  erasures: 'Erased people',
  erasuresHint:
    'A mark of each erased person prevents imports from bringing them back. It does not show who it was.',
  noErasures: 'Nobody was erased.',
  when: 'Erased',
  until: 'Mark kept until',
};

/** Texts about the data of persons. */
export const personalTexts: Topic<typeof en> = {
  en,
  de: {
    title: 'Personenbezogene Daten',
    hint: 'Was von jemandem gespeichert ist, wie es herausgegeben und wie es gelöscht wird.',
    titleOf: (name) => `Personenbezogene Daten: ${name}`,
    kept: 'Was gespeichert ist',
    name: 'Name unter diesem Chip',
    yes: 'Gespeichert',
    no: 'Keiner',
    provisional: 'Buchungen ohne sichere Zeit',
    corrections: 'Korrekturen',
    changes: 'Im Änderungsjournal',
    backups: 'Sicherungen, die es auch enthalten',
    noBackups: 'Keine im Ordner der Sicherungen.',
    backupsHint:
      'Das Löschen ändert keine Sicherungen. Daten, die aus ihnen wiederhergestellt werden, werden abgewiesen.',
    unsearched: (why) =>
      `(vielleicht: ließ sich nicht durchsuchen, ${why === 'not a file' ? 'keine Datei' : why})`,
    data: 'Alle Daten dieser Person',
    dataHint: 'Eine Datei mit allem, was gespeichert ist, mit Erklärung: zur Herausgabe auf Anfrage.',
    saveData: 'Daten speichern',
    erase: 'Löschen',
    eraseHint:
      'Der Name, jeder Tag, jede Buchung: überall und endgültig weg. Es lässt sich nicht rückgängig machen.',
    eraseTitle: (name) => `${name} endgültig löschen?`,
    eraseWarning: 'Kein Import und kein Gerät, das ohne Verbindung war, bringt die Daten zurück.',
    confirm: (text) => `Zur Bestätigung „${text}“ eintippen`,
    erased: 'Alles, was von dieser Person gespeichert war, ist gelöscht.',
    scrubbed: 'Der Speicher enthält keine Spur mehr davon.',
    notScrubbed: 'Die Dateien des Speichers werden davon bereinigt; das kann eine Weile dauern.',
    handleBackups: 'Entfernen Sie diese Sicherungen, oder halten Sie fest, bis wann es sie gibt:',
    retention: 'Wie lange es gespeichert bleibt',
    keeps: (time) =>
      `Aufbewahrungsdauer der Tage: ${time}. Was älter ist, wird einmal am Tag von selbst gelöscht.`,
    keepsAll: 'Alle Tage bleiben. Die Einstellungen, auf der Seite Wartung, können das begrenzen.',
    nothingGoes: 'Heute würde nichts gelöscht.',
    goes: (days, entries) =>
      `Heute würden gelöscht: ${german({ one: '# Tag', other: '# Tage' })(days)} mit ${german({ one: '# Eintrag', other: '# Einträgen' })(entries)}.`,
    firstKept: (day) => `Der erste Tag, der bleibt: ${day}.`,
    doubt: {
      'clock-not-trusted': 'Nichts wird von selbst gelöscht, solange die Uhr falsch gehen kann.',
      'leap-in-time':
        'Nichts wird von selbst gelöscht: Die Uhr ist der letzten Buchung weit voraus. Geht sie richtig?',
      'many-days':
        'Nichts wird von selbst gelöscht: Es wären ungewöhnlich viele Tage. „tallybook retention“ löscht sie.',
    },
    units: (text) => unitsOf(text, 'de'),
    erasures: 'Gelöschte Personen',
    erasuresHint:
      'Von jeder gelöschten Person bleibt ein Merkmal, damit kein Import sie zurückbringt. Es verrät nicht, wer es war.',
    noErasures: 'Niemand wurde gelöscht.',
    when: 'Gelöscht',
    until: 'Merkmal bleibt bis',
  },
};
