import type { Topic } from '../messages.js';

export interface AuditTexts {
  readonly title: string;
  readonly hint: string;
  readonly whole: string;
  readonly broken: string;
  readonly empty: string;
  readonly emptyHint: string;
  readonly filter: string;
  readonly all: string;
  readonly number: string;
  readonly when: string;
  readonly who: string;
  readonly what: string;
  readonly details: string;
  readonly older: string;
  readonly noneOfKind: string;
  /** Words for each action; unknown actions are shown as they are. */
  readonly actions: Readonly<Record<string, string>>;
  /** Labels of details, and words for details with a value: `isKnown true`. Others are shown as they are. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Texts of the audit trail. */
export const auditTexts: Topic<AuditTexts> = {
  en: {
    title: 'Audit trail',
    hint: 'Who did what. Names of the people who tap are not in it.',
    whole: 'The trail is whole: no line is missing, and none was changed.',
    broken:
      'The trail is not whole: a line is missing or was changed. “tallybook audit verify” says which. Find out who could reach the device.',
    empty: 'Nothing was done yet',
    emptyHint: 'Sign-ins, changes of names, corrections, files and erasures will be listed here.',
    filter: 'Show',
    all: 'Everything',
    number: 'No.',
    when: 'When',
    who: 'Who',
    what: 'What',
    details: 'Details',
    older: 'Show older ones',
    noneOfKind: 'None of this kind so far. Older ones may be further back.',
    actions: {
      claimed: 'Became the first administrator',
      'setup-refused': 'Gave a wrong setup code',
      'signed-in': 'Signed in',
      'sign-in-refused': 'Failed to sign in',
      'signed-out': 'Signed out',
      'user-added': 'Added a user',
      'user-changed': 'Changed a user',
      'user-removed': 'Removed a user',
      'token-added': 'Made a token',
      'passkey-added': 'Added a passkey',
      'passkey-removed': 'Removed a passkey',
      'credential-revoked': 'Ended a token or session',
      'name-set': 'Gave a tag a name',
      'name-removed': 'Took a name from a tag',
      'names-imported': 'Took names from a list',
      synchronised: 'Sent names or corrections',
      corrected: 'Corrected the record',
      'correction-decided': 'Decided a correction',
      exported: 'Saved a file of the record',
      'backed-up': 'Saved a backup',
      imported: 'Imported a backup',
      'person-exported': 'Saved all data of a person',
      'person-erased': 'Erased a person',
      'retention-applied': 'Removed old days',
      'day-removed': 'Removed a day',
      'time-set': 'Set the clock',
      'sent-again': 'Sent messages again',
      'store-repaired': 'Repaired the store',
      'audit-shortened': 'Removed old lines of this trail',
    },
    facts: {
      'isKnown true': 'an existing user',
      'isKnown false': 'no such user',
      'isApproved true': 'approved',
      'isApproved false': 'rejected',
      'password true': 'a new password',
      'passkey true': 'with a passkey',
      clockDoubt: 'clock not trusted',
      address: 'from address',
      attempts: 'attempts',
      user: 'user',
      role: 'role',
      day: 'day',
      days: 'days',
      from: 'from',
      to: 'to',
      added: 'new',
      changed: 'changed',
      before: 'before',
      after: 'after',
    },
  },
  de: {
    title: 'Protokoll',
    hint: 'Wer was getan hat. Namen von Personen, die ihren Chip vorhalten, stehen nicht darin.',
    whole: 'Das Protokoll ist vollständig: Keine Zeile fehlt, und keine wurde geändert.',
    broken:
      'Das Protokoll ist nicht vollständig: Eine Zeile fehlt oder wurde geändert. „tallybook audit verify“ sagt, welche. Klären Sie, wer an das Gerät kam.',
    empty: 'Noch ist nichts geschehen',
    emptyHint: 'Anmeldungen, geänderte Namen, Korrekturen, Dateien und Löschungen erscheinen hier.',
    filter: 'Zeigen',
    all: 'Alles',
    number: 'Nr.',
    when: 'Wann',
    who: 'Wer',
    what: 'Was',
    details: 'Einzelheiten',
    older: 'Ältere zeigen',
    noneOfKind: 'Bisher keine dieser Art. Ältere kommen vielleicht weiter hinten.',
    actions: {
      claimed: 'Die erste Verwaltung übernommen',
      'setup-refused': 'Falscher Einrichtungscode',
      'signed-in': 'Angemeldet',
      'sign-in-refused': 'Anmeldung gescheitert',
      'signed-out': 'Abgemeldet',
      'user-added': 'Benutzer eingetragen',
      'user-changed': 'Benutzer geändert',
      'user-removed': 'Benutzer entfernt',
      'token-added': 'Zugang angelegt',
      'passkey-added': 'Passkey hinzugefügt',
      'passkey-removed': 'Passkey entfernt',
      'credential-revoked': 'Zugang oder Sitzung beendet',
      'name-set': 'Einem Chip einen Namen gegeben',
      'name-removed': 'Einem Chip den Namen genommen',
      'names-imported': 'Namen aus einer Liste übernommen',
      synchronised: 'Namen oder Korrekturen gesendet',
      corrected: 'Aufzeichnung korrigiert',
      'correction-decided': 'Über eine Korrektur entschieden',
      exported: 'Aufzeichnung als Datei gespeichert',
      'backed-up': 'Sicherung gespeichert',
      imported: 'Sicherung eingespielt',
      'person-exported': 'Alle Daten einer Person gespeichert',
      'person-erased': 'Eine Person gelöscht',
      'retention-applied': 'Alte Tage gelöscht',
      'day-removed': 'Einen Tag gelöscht',
      'time-set': 'Die Uhr gestellt',
      'sent-again': 'Erneut gesendet',
      'store-repaired': 'Den Speicher repariert',
      'audit-shortened': 'Alte Zeilen dieses Protokolls entfernt',
    },
    facts: {
      'isKnown true': 'als vorhandener Benutzer',
      'isKnown false': 'kein solcher Benutzer',
      'isApproved true': 'angenommen',
      'isApproved false': 'abgelehnt',
      'password true': 'ein neues Passwort',
      'passkey true': 'mit einem Passkey',
      clockDoubt: 'Uhr zweifelhaft',
      address: 'von Adresse',
      attempts: 'Versuche',
      user: 'Benutzer',
      role: 'Rolle',
      day: 'Tag',
      days: 'Tage',
      from: 'von',
      to: 'bis',
      added: 'neu',
      changed: 'geändert',
      before: 'vorher',
      after: 'nachher',
    },
  },
};
