import type { Topic } from '../messages.js';
import { pluralOf } from '../plural.js';

export interface CorrectionTexts {
  readonly title: string;
  readonly hint: string;
  readonly correct: string;
  correctOf(name: string): string;
  readonly add: string;
  readonly dialog: string;
  readonly who: string;
  readonly whoHint: string;
  readonly whoMissing: string;
  readonly other: string;
  readonly nobodyFound: string;
  readonly day: string;
  readonly scans: string;
  readonly scansHint: string;
  readonly noScans: string;
  readonly forgotten: string;
  readonly forgottenHint: string;
  readonly reason: string;
  readonly reasonHint: string;
  readonly reasonMissing: string;
  readonly nothing: string;
  readonly save: string;
  saved(count: number): string;
  waits(count: number): string;
  readonly column: string;
  added(time: string): string;
  voided(time: string): string;
  by(author: string, when: string): string;
  readonly pending: string;
  readonly rejected: string;
  readonly approved: string;
  decided(state: string, by: string): string;
  readonly list: string;
  readonly none: string;
  readonly noneHint: string;
  readonly onlyPending: string;
  readonly made: string;
  readonly what: string;
  readonly author: string;
  readonly state: string;
  readonly decide: string;
  readonly approve: string;
  readonly reject: string;
  approveOf(what: string): string;
  rejectOf(what: string): string;
  readonly rejectTitle: string;
  readonly why: string;
  readonly isApproved: string;
  readonly isRejected: string;
  readonly own: string;
  readonly scanGone: string;
  readonly conflict: string;
  readonly badTime: string;
}

const english = pluralOf('en');
const german = pluralOf('de');

/** Texts of corrections and the page that lists them. */
export const correctionTexts: Topic<CorrectionTexts> = {
  en: {
    title: 'Corrections',
    hint: 'Added and struck-out taps, by whom, and why. Recorded taps stay as they are.',
    correct: 'Correct',
    correctOf: (name) => `Correct: ${name}`,
    add: 'Add a forgotten tap',
    dialog: 'Correct the record',
    who: 'Who',
    whoHint: 'Part of a name or of a tag.',
    whoMissing: 'Choose a person.',
    other: 'Somebody else',
    nobodyFound: 'Nobody found.',
    day: 'Day',
    scans: 'Taps of that day',
    scansHint: 'Take the tick away from a tap that was wrong.',
    noScans: 'There is no tap on that day.',
    forgotten: 'Forgotten tap, time of day',
    forgottenHint: 'Leave it empty if there is none.',
    reason: 'Reason',
    reasonHint: 'Everybody who sees the record can read it.',
    reasonMissing: 'Give a reason, of 3 to 500 characters.',
    nothing: 'Nothing is changed yet: take a tick away, or enter a time.',
    save: 'Save the correction',
    saved: english({ one: '# correction is saved.', other: '# corrections are saved.' }),
    waits: english({
      one: '# correction waits for somebody else to approve it.',
      other: '# corrections wait for somebody else to approve them.',
    }),
    column: 'Corrections',
    added: (time) => `${time} added`,
    voided: (time) => `${time} struck out`,
    by: (author, when) => `${author}, ${when}`,
    pending: 'waits for approval',
    rejected: 'Rejected',
    approved: 'Approved',
    decided: (state, by) => `${state} by ${by}`,
    list: 'Corrections in this time',
    none: 'Nothing was corrected',
    noneHint: 'In this time, the record has no corrections.',
    onlyPending: 'Only corrections that wait for approval',
    made: 'Made',
    what: 'What',
    author: 'By',
    state: 'State',
    decide: 'Decide',
    approve: 'Approve',
    reject: 'Reject …',
    approveOf: (what) => `Approve: ${what}`,
    rejectOf: (what) => `Reject: ${what}`,
    rejectTitle: 'Reject the correction?',
    why: 'Why',
    isApproved: 'The correction is approved.',
    isRejected: 'The correction is rejected.',
    own: 'Nobody approves their own correction. Somebody else has to.',
    scanGone: 'That tap is not there any more. Close this and look again.',
    badTime: 'A tap can be added in the past, at most 400 days back.',
    conflict: 'Somebody else has corrected this meanwhile. Close this and look again.',
  },
  de: {
    title: 'Korrekturen',
    hint: 'Ergänzte und gestrichene Buchungen, von wem und warum. Erfasste Buchungen bleiben, wie sie sind.',
    correct: 'Korrigieren',
    correctOf: (name) => `Korrigieren: ${name}`,
    add: 'Vergessene Buchung ergänzen',
    dialog: 'Aufzeichnung korrigieren',
    who: 'Wer',
    whoHint: 'Ein Teil des Namens oder des Chips.',
    whoMissing: 'Wählen Sie eine Person.',
    other: 'Jemand anderes',
    nobodyFound: 'Niemand gefunden.',
    day: 'Tag',
    scans: 'Buchungen an diesem Tag',
    scansHint: 'Nehmen Sie den Haken von einer Buchung, die falsch war.',
    noScans: 'An diesem Tag gibt es keine Buchung.',
    forgotten: 'Vergessene Buchung, Uhrzeit',
    forgottenHint: 'Leer lassen, wenn es keine gibt.',
    reason: 'Grund',
    reasonHint: 'Wer die Aufzeichnung sieht, kann ihn lesen.',
    reasonMissing: 'Nennen Sie einen Grund, mit 3 bis 500 Zeichen.',
    nothing: 'Noch ist nichts geändert: Nehmen Sie einen Haken weg, oder geben Sie eine Uhrzeit ein.',
    save: 'Korrektur speichern',
    saved: german({ one: '# Korrektur ist gespeichert.', other: '# Korrekturen sind gespeichert.' }),
    waits: german({
      one: '# Korrektur wartet darauf, dass jemand anderes zustimmt.',
      other: '# Korrekturen warten darauf, dass jemand anderes zustimmt.',
    }),
    column: 'Korrekturen',
    added: (time) => `${time} ergänzt`,
    voided: (time) => `${time} gestrichen`,
    by: (author, when) => `${author}, ${when}`,
    pending: 'wartet auf Zustimmung',
    rejected: 'Abgelehnt',
    approved: 'Zugestimmt',
    decided: (state, by) => `${state}: ${by}`,
    list: 'Korrekturen in dieser Zeit',
    none: 'Nichts wurde korrigiert',
    noneHint: 'In dieser Zeit hat die Aufzeichnung keine Korrekturen.',
    onlyPending: 'Nur Korrekturen, die auf Zustimmung warten',
    made: 'Gemacht',
    what: 'Was',
    author: 'Von',
    state: 'Stand',
    decide: 'Entscheiden',
    approve: 'Zustimmen',
    reject: 'Ablehnen …',
    approveOf: (what) => `Zustimmen: ${what}`,
    rejectOf: (what) => `Ablehnen: ${what}`,
    rejectTitle: 'Korrektur ablehnen?',
    why: 'Warum',
    isApproved: 'Der Korrektur ist zugestimmt.',
    isRejected: 'Die Korrektur ist abgelehnt.',
    own: 'Niemand stimmt der eigenen Korrektur zu. Das muss jemand anderes tun.',
    scanGone: 'Diese Buchung gibt es nicht mehr. Schließen Sie das, und sehen Sie neu nach.',
    badTime: 'Eine Buchung kann für Vergangenes ergänzt werden, höchstens 400 Tage zurück.',
    conflict: 'Jemand anderes hat das inzwischen korrigiert. Schließen Sie das, und sehen Sie neu nach.',
  },
};
