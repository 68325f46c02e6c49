import { pluralOf, type Texts, type Topic } from '../language.js';

const english = pluralOf('en');
const german = pluralOf('de');

const en = {
  title: 'This phone as a reader',
  insecure: 'Browsers read tags only over https',
  insecureHint:
    'This page came over http. Open the service under its https address, with Chrome on an Android phone.',
  missing: 'This browser cannot read tags',
  missingHint: 'You need Chrome on an Android phone with NFC.',
  choose: 'Which reader is this phone?',
  none: 'No reader for phones',
  noneHint: 'The service has no reader for phones. Add http:phone to the readers in the file of the device.',
  start: 'Read tags',
  startHint: 'The browser asks whether it may use NFC. Leave this page open, and the screen on.',
  denied: 'The browser may not use NFC. Allow it in the settings of this site.',
  noNfc: 'The phone has no NFC, or it is switched off in its settings.',
  notStarted: 'The phone is not reading tags. Try again.',
  ready: 'Hold a tag to the back of the phone',
  readyHint: 'The middle or the upper edge, until it answers.',
  sending: 'One moment …',
  unsent: 'Kept on this phone until the service responds. No need to tap again.',
  waiting: english({ one: '# tap is waiting on this phone', other: '# taps are waiting on this phone' }),
  notKept: 'This browser does not store data: leave the page open until nothing is waiting.',
  unreadable: 'The phone cannot read this tag',
  unreadableHint: 'Hold it still. If that does not help, phones cannot read this kind of tag.',
  useThis: 'Use this phone as this reader',
};

/** Texts for a phone as a reader. */
export const phoneReaderTexts: Topic<typeof en> = {
  en,
  de: {
    title: 'Dieses Telefon als Leser',
    insecure: 'Chips liest ein Browser nur auf Seiten mit https',
    insecureHint:
      'Diese Seite kam über http. Den Dienst unter seiner https-Adresse öffnen, mit Chrome auf einem Android-Telefon.',
    missing: 'Dieser Browser kann keine Chips lesen',
    missingHint: 'Nötig ist Chrome auf einem Android-Telefon mit NFC.',
    choose: 'Welcher Leser ist dieses Telefon?',
    none: 'Es gibt keinen Leser für Telefone',
    noneHint:
      'Der Dienst hat keinen Leser für Telefone. Ergänzen Sie http:phone bei den Lesern in der Datei des Geräts.',
    start: 'Chips lesen',
    startHint: 'Der Browser fragt, ob er NFC benutzen darf. Diese Seite offen lassen und den Bildschirm an.',
    denied: 'Der Browser darf NFC nicht benutzen. Das lässt sich in den Einstellungen dieser Seite erlauben.',
    noNfc: 'Das Telefon hat kein NFC, oder es ist in seinen Einstellungen ausgeschaltet.',
    notStarted: 'Das Telefon liest gerade keine Chips. Bitte noch einmal versuchen.',
    ready: 'Chip an die Rückseite des Telefons halten',
    readyHint: 'An die Mitte oder die obere Kante, bis es antwortet.',
    sending: 'Einen Moment …',
    unsent: 'Auf diesem Telefon aufbewahrt, bis der Dienst antwortet. Kein zweites Mal nötig.',
    waiting: german({
      one: '# Buchung wartet auf diesem Telefon',
      other: '# Buchungen warten auf diesem Telefon',
    }),
    notKept: 'Dieser Browser bewahrt nichts auf: die Seite offen lassen, bis nichts mehr wartet.',
    unreadable: 'Das Telefon kann diesen Chip nicht lesen',
    unreadableHint: 'Ruhig halten. Hilft das nicht, können Telefone diese Art von Chip nicht lesen.',
    useThis: 'Dieses Telefon als diesen Leser benutzen',
  },
};

export type PhoneReaderTexts = Texts<typeof en>;
