/** Identity of a person, as stated by a provider. */
export interface Identity {
  /** URL of the provider. */
  readonly issuer: string;
  /**
   * Permanent identifier of the person at the provider, 1 to 255 characters. Unlike a name, it never passes to another
   * person.
   */
  readonly subject: string;
  /**
   * Name of the person at the provider, untrusted; `undefined` if the provider does not give or does not confirm it.
   */
  readonly name: string | undefined;
  /** Groups of the person at the provider; their names are untrusted. */
  readonly groups: readonly string[];
}

/** Somebody who has signed in at a provider just now. */
export interface ProvenIdentity extends Identity {
  /**
   * For signing out at the provider: shows whom it signed in here. 1 to 2,000 characters of `A-Z`, `a-z`, `0-9`, `.`, `_`
   * and `-`. It identifies the person, so only the person's own browser keeps it, and only for the length of the session.
   * `undefined` if nobody can sign out at the provider, or if it would be longer.
   */
  readonly signOutHint?: string | undefined;
}

/** How a browser signs in at a provider. */
export interface SignInStart {
  /** URL to which the browser goes. */
  readonly url: string;
  /**
   * The same browser has to show it with the answer: 1 to 2,000 characters of `A-Z`, `a-z`, `0-9`, `.`, `_` and `-`. A
   * secret of this browser. Nobody can sign in with the ticket but without the answer of the provider, or with the
   * answer but without the ticket.
   */
  readonly ticket: string;
}

/**
 * Signs people in at another service: a provider of OpenID Connect, for example.
 *
 * For implementors: keep nothing between `begin` and `finish`, which may run in two processes; the ticket holds everything
 * that `finish` needs. An answer fits only the ticket of the same sign-in. An answer works once, or else expires within
 * minutes. Arguments of `finish` are untrusted. Messages and causes of errors are logged, so they must not hold the ticket,
 * the answer, or data from the provider.
 */
export interface IdentityProvider {
  /** Name of the provider for people, as on a button: 1 to 100 characters. */
  readonly label: string;
  /** Rejects with `IDENTITY_UNAVAILABLE` if the provider cannot be asked. */
  begin(): Promise<SignInStart>;
  /**
   * The person who has signed in at the provider.
   *
   * Rejects with `IDENTITY_REFUSED` if the answer does not prove the sign-in: it belongs to another browser, is too old or
   * forged, or says that the person did not sign in. Rejects with `IDENTITY_UNAVAILABLE` if the provider cannot be asked.
   *
   * @param answer The query with which the provider sent the browser back, without `?`.
   * @param beforeAsking Called once, right before the provider is asked about an answer that fits its ticket; not called for
   * other answers. If it throws, the provider is not asked, and `finish` rejects with the same error.
   */
  finish(ticket: string, answer: string, beforeAsking?: () => void): Promise<ProvenIdentity>;
  /**
   * URL at which a browser signs out at the provider, which then sends it back to the page; `undefined` if the provider has
   * none. The URL holds no secret. Without a hint it does not identify the person; then some providers ask whether to sign out,
   * or refuse.
   *
   * Rejects with `IDENTITY_UNAVAILABLE` if the provider cannot be asked.
   *
   * @param hint The `signOutHint` of the sign-in, which may have been at another server. Text that cannot be a hint is ignored.
   */
  signOutUrl(hint?: string): Promise<string | undefined>;
}
