import { de } from './de.js';
import { en } from './en.js';
import type { Language, Messages } from './messages.js';

/** A language more is a line here and a file. */
const languages: Readonly<Record<Language, Messages>> = { en, de };

export interface ChosenLanguage {
  readonly messages: Messages;
  /** In which dates and numbers are written: the one of the browser, if it is of the language of the texts. */
  readonly locale: string;
}

/**
 * The language to speak; English if there is none that is wanted.
 *
 * @param wanted What the browser prefers, best first: `navigator.languages`.
 */
export function chooseLanguage(wanted: readonly string[]): ChosenLanguage {
  for (const locale of wanted) {
    const messages = Object.values(languages).find(
      ({ language }) => language === locale.split('-')[0]?.toLowerCase(),
    );
    if (messages !== undefined) return { messages, locale };
  }
  return { messages: en, locale: 'en' };
}
