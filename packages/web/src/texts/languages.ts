import { en } from './en.js';
import type { Messages } from './messages.js';

/** A language more is a line here and a file. English is what is left when none fits. */
const languages: Readonly<Record<string, () => Promise<Messages>>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import('./de.js')).de,
};

export interface ChosenLanguage {
  readonly messages: Messages;
  /** In which dates and numbers are written: the one of the browser, if it is of the language of the texts. */
  readonly locale: string;
}

/** @param wanted What the browser prefers, best first: `navigator.languages`. */
export async function chooseLanguage(wanted: readonly string[]): Promise<ChosenLanguage> {
  for (const locale of wanted) {
    const load = languages[locale.split('-')[0]?.toLowerCase() ?? ''];
    if (load === undefined) continue;
    try {
      return { messages: await load(), locale };
    } catch {
      // The network is gone just now; better in English than not at all.
      break;
    }
  }
  return { messages: en, locale: 'en' };
}
