import type { TallybookClient } from '@tallybook/client';
import { createContext, type Context as PreactContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Address } from './routing.js';
import type { Access } from './state/access.js';
import type { Formats } from './state/formats.js';
import type { Session } from './state/session.js';
import type { Messages } from './texts/en.js';
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
 * @returns The context with the present `formats`: a component that uses them is drawn again when the zone is known.
 */
export function usePage(): PageContext & { readonly formats: Formats } {
  const context = useContext(Context);
  if (context === undefined) throw new Error('this part is outside of the page');
  return { ...context, formats: context.session.formats.value };
}
