import { pluralOf, type Topic } from '../language.js';

const english = pluralOf('en');
const german = pluralOf('de');

const en = {
  title: 'Stations',
  allWell: 'All stations are OK',
  lookAt: english({ one: '# station needs attention', other: '# stations need attention' }),
  heard: (when: string) => `Last heard ${when}`,
  silent: (when: string) => `Not heard from since ${when}`,
  waiting: english({ one: '# change is waiting to be sent', other: '# changes are waiting to be sent' }),
  nothingWaits: 'Everything has been sent.',
  since: (when: string) => `since ${when}`,
  provisional: english({
    one: '# tap there is waiting for the right time',
    other: '# taps there are waiting for the right time',
  }),
  clockWrong: 'Its clock may be wrong.',
  refused: english({ one: '# change was refused', other: '# changes were refused' }),
  version: 'Version',
  forget: 'Forget',
  forgetOf: (name: string) => `Forget ${name}`,
  forgetTitle: (name: string) => `Forget the station ${name}?`,
  forgetHint:
    'Only this entry is removed; the record of the station stays. If the station connects again, it is listed again: revoke its token too.',
  forgotten: (name: string) => `${name} is no longer listed.`,
  centre: 'Centre',
  reached: 'Connected',
  notReached: 'Unreachable: taps are kept here until it is back',
  notYet: 'Not yet',
  lastContact: 'Last contact',
};

/** Texts about sending to a centre, at both ends. */
export const stationTexts: Topic<typeof en> = {
  en,
  de: {
    title: 'Stationen',
    allWell: 'Alle Stationen sind in Ordnung',
    lookAt: german({ one: '# Station braucht einen Blick', other: '# Stationen brauchen einen Blick' }),
    heard: (when) => `Gemeldet ${when}`,
    silent: (when) => `Keine Meldung seit ${when}`,
    waiting: german({
      one: '# Änderung wartet auf das Senden',
      other: '# Änderungen warten auf das Senden',
    }),
    nothingWaits: 'Alles ist gesendet.',
    since: (when) => `seit ${when}`,
    provisional: german({
      one: '# Buchung wartet dort auf die richtige Zeit',
      other: '# Buchungen warten dort auf die richtige Zeit',
    }),
    clockWrong: 'Die Uhr dort geht vielleicht falsch.',
    refused: german({ one: '# Änderung wurde abgewiesen', other: '# Änderungen wurden abgewiesen' }),
    version: 'Version',
    forget: 'Vergessen',
    forgetOf: (name) => `${name} vergessen`,
    forgetTitle: (name) => `Die Station ${name} vergessen?`,
    forgetHint:
      'Nur dieser Eintrag wird entfernt; die Aufzeichnung der Station bleibt. Meldet sie sich wieder, steht sie wieder hier: Beenden Sie auch ihren Zugang.',
    forgotten: (name) => `${name} steht nicht mehr hier.`,
    centre: 'Zentrale',
    reached: 'Erreicht',
    notReached: 'Nicht erreicht: Buchungen bleiben so lange hier',
    notYet: 'Noch keine Antwort',
    lastContact: 'Letzter Kontakt',
  },
};
