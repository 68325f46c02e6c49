import { de } from './de.js';
import { en, type Messages } from './en.js';
import type { Language } from './language.js';

/** For a new language, add a line here and a file. */
const languages: Readonly<Record<Language, Messages>> = { en, de };

export interface ChosenLanguage {
  readonly messages: Messages;
  /** Locale of dates and numbers: that of the browser, if it has the language of the texts. */
  readonly locale: string;
}

/**
 * The language of the page; English if none of the wanted languages is available.
 *
 * @param wanted The languages that the browser prefers, best first: `navigator.languages`.
 */
export function chooseLanguage(wanted: readonly string[]): ChosenLanguage {
  for (const locale of wanted) {
    const [wantedLanguage] = locale.toLowerCase().split('-');
    const messages = Object.values(languages).find(({ language }) => language === wantedLanguage);
    if (messages !== undefined) return { messages, locale };
  }
  return { messages: en, locale: 'en' };
}
