/** The used fields of the client data: the browser's part of a signed answer. */
export interface ClientData {
  readonly challenge: string;
}

/**
 * Reads the client data of a verified answer. Throws if the answer was signed in a frame on a page of another site. The
 * library accepts such an answer if the browser does not name the site.
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
