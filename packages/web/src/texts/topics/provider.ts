import type { Texts, Topic } from '../language.js';

const en = {
  signIn: (label: string) => `Sign in with ${label}`,
  away: (label: string) => `${label} cannot be reached. Try again later, or sign in with a password.`,
  refused: (label: string) => `Signing in with ${label} did not work, or took too long. Try once more.`,
  unknown: (label: string, subject: string) =>
    `You are signed in with ${label}, but you do not have an account here. An administrator can add you. You are known there as: ${subject}`,
  lastAdmin: (label: string) =>
    `${label} no longer makes you an administrator, but you are the last one. Somebody else has to become one first.`,
  bound: 'with an account elsewhere',
  awaited: 'with an account elsewhere, from the first sign-in on',
  granted: 'with an account elsewhere, which gives the role',
  link: (label: string) => `Signs in with ${label}`,
  subject: 'Known there as',
  subjectHint:
    'The page shows it to a person who signs in and does not have an account here. Leave it empty to link the first person with this name.',
};

/** Texts of signing in at an identity provider. */
export const providerTexts: Topic<typeof en> = {
  en,
  de: {
    signIn: (label) => `Mit ${label} anmelden`,
    away: (label) =>
      `${label} ist nicht erreichbar. Versuchen Sie es später, oder melden Sie sich mit Passwort an.`,
    refused: (label) =>
      `Die Anmeldung mit ${label} hat nicht geklappt, oder zu lange gedauert. Versuchen Sie es noch einmal.`,
    unknown: (label, subject) =>
      `Sie sind mit ${label} angemeldet, aber hier kein Benutzer. Die Verwaltung kann Sie aufnehmen. Dort sind Sie bekannt als: ${subject}`,
    lastAdmin: (label) =>
      `${label} macht Sie nicht mehr zur Verwaltung, aber Sie sind die letzte Person darin. Vorher muss es jemand anderes werden.`,
    bound: 'mit einem Konto anderswo',
    awaited: 'mit einem Konto anderswo, ab der ersten Anmeldung',
    granted: 'mit einem Konto anderswo, das die Rolle gibt',
    link: (label) => `Meldet sich mit ${label} an`,
    subject: 'Dort bekannt als',
    subjectHint:
      'Die Seite zeigt es einer Person, die sich anmeldet und hier kein Benutzer ist. Leer lassen, um die erste Person mit diesem Namen zu verknüpfen.',
  },
};

export type ProviderTexts = Texts<typeof en>;
