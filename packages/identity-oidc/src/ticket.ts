/** Secrets of a sign-in. The answer of the provider is compared with them. */
export interface Asked {
  /** The answer must contain it. */
  readonly state: string;
  /** The ID token must contain it. */
  readonly nonce: string;
  /** The request had only its hash. Without the verifier, nobody gets tokens for the code. */
  readonly verifier: string;
}

const TICKET = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

export function writeTicket({ state, nonce, verifier }: Asked): string {
  return [state, nonce, verifier].join('.');
}

/** Reads a ticket; `undefined` if the text is not a ticket. */
export function parseTicket(ticket: string): Asked | undefined {
  const [, state = '', nonce = '', verifier = ''] = TICKET.exec(ticket) ?? [];
  return state === '' ? undefined : { state, nonce, verifier };
}
