import type { Topic } from '../language.js';

const en = {
  ended: 'You were signed out because your session has ended.',
  name: 'Name',
  nameMissing: 'Enter your name.',
  nameHint: 'Letters, digits and . _ - @ +, without spaces.',
  password: 'Password',
  passwordMissing: 'Enter your password.',
  show: 'Show the password',
  hide: 'Hide the password',
  wrong: 'Name or password is wrong.',
  forgotten: 'Forgotten? An administrator can set a new password.',
  setupTitle: 'The first administrator',
  setupHint:
    'This service has no administrator yet. It has made a code. With it you become the administrator, and nobody else gets in without you.',
  code: 'Setup code',
  codeHint: 'On the device, “sudo tallybook setup-code” shows it. It is also in the log of the service.',
  codeMissing: 'Enter the setup code.',
  codeWrong: 'This code is wrong, or from an earlier start of the service.',
  claimed: 'Somebody else was faster: the service has an administrator. Reload the page to sign in.',
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters. A sentence is easier to remember than symbols.',
  tooShort: 'The password has at least 8 characters.',
  again: 'Repeat the password',
  notSame: 'The passwords do not match.',
  setUp: 'Become administrator',
};

/** Texts of the pages before signing in. */
export const signInTexts: Topic<typeof en> = {
  en,
  de: {
    ended: 'Sie wurden abgemeldet, weil Ihre Sitzung zu Ende ist.',
    name: 'Ihr Name',
    nameMissing: 'Geben Sie Ihren Namen ein.',
    nameHint: 'Buchstaben, Ziffern und . _ - @ +, ohne Leerzeichen.',
    password: 'Passwort',
    passwordMissing: 'Geben Sie Ihr Passwort ein.',
    show: 'Passwort zeigen',
    hide: 'Passwort verbergen',
    wrong: 'Name oder Passwort ist falsch.',
    forgotten: 'Vergessen? Die Verwaltung kann Ihnen ein neues Passwort geben.',
    setupTitle: 'Die erste Verwaltung',
    setupHint:
      'Dieser Dienst hat noch keine Verwaltung. Er hat einen Code gemacht. Damit übernehmen Sie die Verwaltung, und ohne Sie kommt sonst niemand herein.',
    code: 'Einrichtungscode',
    codeHint: 'Auf dem Gerät zeigt ihn „sudo tallybook setup-code“. Er steht auch im Protokoll des Dienstes.',
    codeMissing: 'Geben Sie den Einrichtungscode ein.',
    codeWrong: 'Dieser Code ist falsch, oder von einem früheren Start des Dienstes.',
    claimed:
      'Jemand anderes war schneller: Der Dienst hat eine Verwaltung. Laden Sie die Seite neu, um sich anzumelden.',
    newPassword: 'Neues Passwort',
    newPasswordHint: 'Mindestens 8 Zeichen. Ein Satz lässt sich leichter merken als Zeichen.',
    tooShort: 'Das Passwort hat mindestens 8 Zeichen.',
    again: 'Noch einmal dasselbe Passwort',
    notSame: 'Das ist ein anderes Passwort als oben.',
    setUp: 'Verwaltung übernehmen',
  },
};
