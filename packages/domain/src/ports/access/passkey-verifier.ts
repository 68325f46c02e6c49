/** Where a page with passkeys is, as its browser sees it. */
export interface PasskeyPlace {
  /** Such as `https://tally.example:8443`. */
  readonly origin: string;
  /** The name of its host, without the port, such as `tally.example`: passkeys belong to it, as their RP ID. */
  readonly host: string;
}

/** Facts that an answer must match. */
export interface ExpectedAnswer extends PasskeyPlace {
  /** Whether a challenge was given out for this purpose, and may still be answered. */
  readonly isChallenge: (challenge: string) => boolean;
}

/** A passkey that a device has just made. Fields as in `Passkey`. */
export interface MadePasskey {
  /** The challenge that it answers. */
  readonly challenge: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly isSynced: boolean;
}

/** A passkey that somebody has just signed with. */
export interface UsedPasskey {
  /** The challenge that it answers. */
  readonly challenge: string;
  /** How often it was used, as the device counts; 0 from one that does not count. */
  readonly counter: number;
}

/**
 * Checks what browsers send when somebody makes a passkey, or signs in with one.
 *
 * For implementors: what comes from the browser may be anything. The answer must be for this origin and this host, to such
 * a challenge, and the device must have verified the person, not only that somebody is there.
 */
export interface PasskeyVerifier {
  /** COSE numbers of the algorithms that it can check, the preferred ones first; -7 is ES256. */
  readonly algorithms: readonly number[];
  /**
   * @param answer `RegistrationResponseJSON` of WebAuthn; untrusted, and an object.
   * @throws {TallybookError} `INVALID_PASSKEY`, which says why.
   */
  verifyMade(answer: object, expected: ExpectedAnswer): Promise<MadePasskey>;
  /**
   * Says nothing about the counter, which is for the caller to compare.
   *
   * @param answer `AuthenticationResponseJSON` of WebAuthn; untrusted, and an object.
   * @param publicKey Of the passkey that it names. For `undefined` it takes as long as for one that did not sign.
   * @returns `undefined` if it is not right; it does not reject for what somebody sent.
   */
  verifyUsed(
    answer: object,
    expected: ExpectedAnswer,
    publicKey: string | undefined,
  ): Promise<UsedPasskey | undefined>;
}
