import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ManagedResource, type Subscribable, type Subscription } from '@tallybook/domain';

/** The name of the file with the setup code, in the folder of a store. */
export const SETUP_CODE_FILE = 'setup-code';

/** The part of the access service that is used here. */
export interface SetupCodes {
  /** The code is `undefined` if the service is already set up, or is open. */
  readonly setup: { readonly code: string | undefined };
  readonly changes: Subscribable<unknown>;
}

/**
 * Keeps the setup code in a file, while the service waits for its first user. Only the owner of the store can read the file.
 * Open this after the access service. Without a folder there is no file.
 */
export class SetupCodeFile extends ManagedResource {
  readonly #codes: SetupCodes;
  readonly #path: string | undefined;
  readonly #onFault: (error: unknown) => void;
  #subscription: Subscription | undefined;
  #removing: Promise<void> = Promise.resolve();

  /** @param onFault Called with the reason why the file could not be written or removed. The service goes on. */
  constructor(codes: SetupCodes, folder: string | undefined, onFault: (error: unknown) => void) {
    super();
    this.#codes = codes;
    this.#path = folder === undefined ? undefined : join(folder, SETUP_CODE_FILE);
    this.#onFault = onFault;
  }

  protected override async onOpen(): Promise<void> {
    const { setup, changes } = this.#codes;
    // A killed process may have left a file with a code that is no longer valid.
    await this.#remove();
    if (this.#path === undefined || setup.code === undefined) return;
    try {
      await using file = await open(this.#path, 'wx', 0o600);
      await file.writeFile(`${inGroups(setup.code)}\n`);
    } catch (error) {
      this.#onFault(error);
    }
    this.#subscription = changes.subscribe(() => {
      if (this.#codes.setup.code === undefined) this.#removing = this.#remove();
    });
  }

  protected override async onClose(): Promise<void> {
    this.#subscription?.unsubscribe();
    await this.#removing;
    await this.#remove();
  }

  async #remove(): Promise<void> {
    if (this.#path === undefined) return;
    await rm(this.#path, { force: true }).catch(this.#onFault);
  }
}

/** The code in groups, so that people can read it aloud: `7K3M-QX0P-9ZTA`. */
export function inGroups(code: string): string {
  return code.replace(/.{4}(?=.)/g, '$&-');
}
