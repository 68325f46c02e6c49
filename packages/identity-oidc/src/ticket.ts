/** Secrets of a sign-in, with which the answer of the provider is compared. */
export interface Asked {
  /** Comes back in the answer. */
  readonly state: string;
  /** Comes back in the ID token. */
  readonly nonce: string;
  /** The request had only its hash: without it nobody gets tokens for the code. */
  readonly verifier: string;
}

const TICKET = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

export function writeTicket({ state, nonce, verifier }: Asked): string {
  return [state, nonce, verifier].join('.');
}

/** Reads a ticket; `undefined` if the text is none. */
export function parseTicket(ticket: string): Asked | undefined {
  const [, state = '', nonce = '', verifier = ''] = TICKET.exec(ticket) ?? [];
  return state === '' ? undefined : { state, nonce, verifier };
}
