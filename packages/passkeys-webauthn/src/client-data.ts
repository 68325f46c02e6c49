/** What the browser has put its name to, beside what the device has. */
export interface ClientData {
  readonly challenge: string;
}

/**
 * Reads what has been verified. Throws for what was signed in a frame of a page of another site, which the library takes if
 * the browser does not say which one.
 */
export function readClientData({
  response: { clientDataJSON },
}: {
  readonly response: { readonly clientDataJSON: string };
}): ClientData {
  const text = Buffer.from(clientDataJSON, 'base64url').toString();
  const { challenge, crossOrigin } = JSON.parse(text) as {
    readonly challenge: string;
    readonly crossOrigin?: unknown;
  };
  if (crossOrigin === true) throw new Error('it was asked for in a frame of a page of another site');
  return { challenge };
}
