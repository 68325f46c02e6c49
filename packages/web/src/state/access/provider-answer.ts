/**
 * Key of the address that the browser keeps while somebody is at the identity provider, since the provider sends the browser back
 * without the part after `#`.
 */
const PLACE = 'tallybook:place';

type Surroundings = Pick<Window, 'location' | 'history' | 'sessionStorage'>;

/**
 * Takes the answer of the identity provider out of the address and the history. Then the page has its earlier address.
 *
 * @returns The query; `undefined` if it is no answer of a provider.
 */
export function takeProviderAnswer(window: Surroundings): string | undefined {
  const { search, pathname } = window.location;
  const parameters = new URLSearchParams(search);
  if (!parameters.has('state') || !(parameters.has('code') || parameters.has('error'))) return undefined;
  window.history.replaceState(null, '', pathname + placeBefore(window));
  return search.slice(1);
}

/** Keeps the address of the page, for this tab. */
export function keepPlace(window: Surroundings): void {
  try {
    window.sessionStorage.setItem(PLACE, window.location.hash);
  } catch {
    // Without storage the way back leads to the first page.
  }
}

function placeBefore(window: Surroundings): string {
  try {
    const place = window.sessionStorage.getItem(PLACE) ?? '';
    window.sessionStorage.removeItem(PLACE);
    return place.startsWith('#/') ? place : '';
  } catch {
    return '';
  }
}
