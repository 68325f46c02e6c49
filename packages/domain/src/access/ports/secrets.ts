/** Result of the check of a password. */
export interface PasswordCheck {
  readonly matches: boolean;
  /**
   * New hash, given if the password matches and the old hash was made with less work than hashes now: replace the old
   * one.
   */
  readonly rehashed?: string;
}

/** Makes and checks secrets. */
export interface Secrets {
  /** 32 random bytes, as 43 characters of `A-Z`, `a-z`, `0-9`, `-` and `_`. */
  random(): string;
  /**
   * A code that people type: 12 random characters of Crockford's Base32 (`0-9`, `A-Z` without `I`, `L`, `O` and `U`),
   * 60 bits.
   */
  randomCode(): string;
  /** SHA-256 of a text in UTF-8, as 64 hexadecimal digits in lower case. */
  digest(text: string): string;
  /** HMAC with SHA-256 of a text by a key, both in UTF-8, as 64 hexadecimal digits in lower case. */
  hmac(key: string, text: string): string;
  /** Hashes a password with salt, slowly, for {@link check}. */
  hash(password: string): Promise<string>;
  /**
   * Checks a password. A hash that is `undefined` takes as long as one that does not match, so that the time does not
   * show who is a user.
   */
  check(password: string, hash: string | undefined): Promise<PasswordCheck>;
}
