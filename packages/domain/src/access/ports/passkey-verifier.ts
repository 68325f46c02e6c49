/** Address of a page that uses passkeys, as its browser sees it. */
export interface PasskeyPlace {
  /** Origin of the page, such as `https://tally.example:8443`. */
  readonly origin: string;
  /** Name of its host, without the port, such as `tally.example`. Passkeys belong to it: it is their RP ID. */
  readonly host: string;
}

/** Facts that an answer must match. */
export interface ExpectedAnswer extends PasskeyPlace {
  /** Whether a challenge was given out for this purpose, and may still be answered. */
  readonly isChallenge: (challenge: string) => boolean;
}

/** A new passkey of a device. Fields as in `Passkey`. */
export interface MadePasskey {
  /** The challenge that it answers. */
  readonly challenge: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly isSynced: boolean;
}

/** A checked signature by a passkey. */
export interface UsedPasskey {
  /** The challenge that it answers. */
  readonly challenge: string;
  /** Number of uses, counted by the device; 0 from a device that does not count. */
  readonly counter: number;
}

/**
 * Checks answers of browsers that make a passkey, or sign in with one.
 *
 * For implementors: the answer may be anything. It must be for this origin, this host and a valid challenge. The device
 * must have verified the person (by PIN or biometrics), not only a touch.
 */
export interface PasskeyVerifier {
  /** COSE numbers of the algorithms that the verifier can check, the preferred ones first; -7 is ES256. */
  readonly algorithms: readonly number[];
  /**
   * @param answer `RegistrationResponseJSON` of WebAuthn; untrusted, and an object.
   * @throws {TallybookError} `INVALID_PASSKEY`, with the reason in the message.
   */
  verifyMade(answer: object, expected: ExpectedAnswer): Promise<MadePasskey>;
  /**
   * Does not check the counter: the caller compares it.
   *
   * @param answer `AuthenticationResponseJSON` of WebAuthn; untrusted, and an object.
   * @param publicKey Public key of the passkey in the answer. With `undefined`, the check takes as long as with a key
   * that did not sign.
   * @returns `undefined` if the answer is not right. An invalid answer never makes it reject.
   */
  verifyUsed(
    answer: object,
    expected: ExpectedAnswer,
    publicKey: string | undefined,
  ): Promise<UsedPasskey | undefined>;
}
