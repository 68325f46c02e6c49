import type { TallybookClient } from '@tallybook/client';
import { createContext, type Context as PreactContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Address } from './routing.js';
import type { Access } from './state/access.js';
import type { Formats } from './state/formats.js';
import type { Session } from './state/session.js';
import type { Messages } from './texts/en.js';
import type { Texts, Topic } from './texts/language.js';
import type { Toasts } from './state/toasts.js';

/** Objects that every part of the page may use. */
export interface PageContext {
  readonly session: Session;
  readonly access: Access;
  /** For requests of single pages. */
  readonly client: TallybookClient;
  readonly texts: Messages;
  readonly toasts: Toasts;
  readonly address: Address;
}

const Context: PreactContext<PageContext | undefined> = createContext<PageContext | undefined>(undefined);

export const PageContextProvider: PreactContext<PageContext | undefined>['Provider'] = Context.Provider;

/**
 * The context with the present `formats`: a component that uses them is drawn again when the zone is known.
 *
 * @param topic Texts that are loaded with their page: `words` has them in the language of the page.
 */
export function usePage<T = object>(topic: Topic<T> = NO_TOPIC as Topic<T>): PageContext & Drawn<T> {
  const context = useContext(Context);
  if (context === undefined) throw new Error('this part is outside of the page');
  return { ...context, formats: context.session.formats.value, words: topic[context.texts.language] };
}

const NO_TOPIC: Topic<object> = { en: {}, de: {} };

interface Drawn<T> {
  readonly formats: Formats;
  readonly words: Texts<T>;
}
