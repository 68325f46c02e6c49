import type { Topic } from '../language.js';

const en = {
  hint: 'A group is made when the first person is put into it.',
  none: 'No groups yet',
  noneHint: 'Open a person, and press Groups. A list that is imported can have a column of groups.',
  members: 'Members today',
  rename: 'Rename',
  renameOf: (name: string) => `Rename ${name}`,
  nameMissing: 'Enter a name.',
  nameTaken: 'Another group has this name. Merge the two instead.',
  renameHint: 'Past days show the new name too.',
  renamed: (name: string) => `The group is now called ${name}.`,
  merge: 'Merge',
  mergeOf: (name: string) => `Merge ${name} into another group`,
  mergeInto: 'Into',
  chooseOne: 'Choose a group.',
  mergeHint: (from: string, into: string) =>
    `Whoever is or was in ${from} is then in ${into}. Days stay as they are. This cannot be undone.`,
  merged: (from: string, into: string) => `${from} is now part of ${into}.`,
  /** Of a person. */
  change: 'Groups',
  changeOf: (name: string) => `Groups of ${name}`,
  from: 'From',
  fromHint: 'From this day on. Earlier days stay as they are.',
  firstHint: 'Without a date: from the beginning.',
  another: 'Another group',
  anotherHint: 'For several, put commas between them.',
  always: 'from the beginning',
  since: (day: string) => `since ${day}`,
  span: (from: string, until: string) => `${from}, until ${until}`,
};

/** Texts about groups of persons. */
export const groupTexts: Topic<typeof en> = {
  en,
  de: {
    hint: 'Eine Gruppe entsteht, sobald die erste Person hineinkommt.',
    none: 'Noch keine Gruppen',
    noneHint:
      'Öffnen Sie eine Person, und wählen Sie Gruppen. Auch eine Liste, die übernommen wird, kann eine Spalte mit Gruppen haben.',
    members: 'Mitglieder heute',
    rename: 'Umbenennen',
    renameOf: (name) => `${name} umbenennen`,
    nameMissing: 'Geben Sie einen Namen ein.',
    nameTaken: 'So heißt schon eine andere Gruppe. Legen Sie die beiden zusammen.',
    renameHint: 'Auch vergangene Tage zeigen den neuen Namen.',
    renamed: (name) => `Die Gruppe heißt jetzt ${name}.`,
    merge: 'Zusammenlegen',
    mergeOf: (name) => `${name} mit einer anderen Gruppe zusammenlegen`,
    mergeInto: 'Mit',
    chooseOne: 'Wählen Sie eine Gruppe.',
    mergeHint: (from, into) =>
      `Wer in ${from} ist oder war, ist dann in ${into}. Die Tage bleiben, wie sie sind. Das lässt sich nicht rückgängig machen.`,
    merged: (from, into) => `${from} gehört jetzt zu ${into}.`,
    change: 'Gruppen',
    changeOf: (name) => `Gruppen von ${name}`,
    from: 'Ab',
    fromHint: 'Von diesem Tag an. Frühere Tage bleiben, wie sie sind.',
    firstHint: 'Ohne Datum: von Anfang an.',
    another: 'Weitere Gruppe',
    anotherHint: 'Mehrere mit Kommas trennen.',
    always: 'von Anfang an',
    since: (day) => `seit ${day}`,
    span: (from, until) => `${from}, bis ${until}`,
  },
};
