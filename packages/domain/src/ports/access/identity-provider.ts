/** Identity of a person, as stated by a provider. */
export interface Identity {
  /** Names the provider: its URL. */
  readonly issuer: string;
  /** Names the person there for good, 1 to 255 characters. No other person ever has it, unlike a name. */
  readonly subject: string;
  /** What the person is called there, untrusted; `undefined` if the provider does not say, or does not vouch for it. */
  readonly name: string | undefined;
  /** The groups that the person is in there; untrusted as names of groups. */
  readonly groups: readonly string[];
}

/** Somebody who has signed in at a provider just now. */
export interface ProvenIdentity extends Identity {
  /**
   * Shows the provider, when the person signs out there, that it signed this person in here: 1 to 2,000 characters of `A-Z`,
   * `a-z`, `0-9`, `.`, `_` and `-`. It says who the person is, so it is kept as long as the session, and by the person's own
   * browser. `undefined` if nobody signs out there, or it is longer.
   */
  readonly signOutHint?: string | undefined;
}

/** How a browser signs in at a provider. */
export interface SignInStart {
  /** Where the browser is to go. */
  readonly url: string;
  /**
   * What the same browser has to show with the answer: 1 to 2,000 characters of `A-Z`, `a-z`, `0-9`, `.`, `_` and `-`. A
   * secret of this browser: whoever has it cannot sign in without the answer of the provider, nor the other way round.
   */
  readonly ticket: string;
}

/**
 * Signs people in elsewhere: a provider of OpenID Connect, for example.
 *
 * For implementors: nothing is kept between `begin` and `finish`, which may happen in two processes; what is needed for it
 * is in the ticket. An answer fits the ticket that it was asked with, and no other. An answer is worth one sign-in, or else
 * is worth nothing within minutes. Arguments of `finish` are untrusted. No message and no cause has the ticket, the answer,
 * or what was got for it, since both are logged.
 */
export interface IdentityProvider {
  /** What people call it, for a button: 1 to 100 characters. */
  readonly label: string;
  /** Rejects with `IDENTITY_UNAVAILABLE` if the provider cannot be asked. */
  begin(): Promise<SignInStart>;
  /**
   * Who has signed in there.
   *
   * Rejects with `IDENTITY_REFUSED` if the answer does not prove that: it is another browser's, too old, forged, or says
   * that the person did not sign in. Rejects with `IDENTITY_UNAVAILABLE` if the provider cannot be asked.
   *
   * @param answer The query with which the provider sent the browser back, without `?`.
   * @param beforeAsking Called once, right before the provider is asked about an answer that fits its ticket, and not for any
   * other. If it throws, nothing is asked, and this rejects with that error.
   */
  finish(ticket: string, answer: string, beforeAsking?: () => void): Promise<ProvenIdentity>;
  /**
   * Where a browser signs out there, and is sent back from to the page; `undefined` if the provider has no such place. The URL
   * has no secret. Without a hint it says nothing of who it is; some providers ask then whether to sign out, or refuse it.
   *
   * Rejects with `IDENTITY_UNAVAILABLE` if the provider cannot be asked.
   *
   * @param hint The `signOutHint` of the sign-in, which may have been at another server. Text that cannot be one counts as none.
   */
  signOutUrl(hint?: string): Promise<string | undefined>;
}
