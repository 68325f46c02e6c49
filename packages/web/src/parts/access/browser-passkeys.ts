import type { PasskeyAnswer } from '@tallybook/client';
import { passkeyTexts } from '../../texts/topics/passkeys.js';
import { usePage } from '../../page-context.js';
import { useTask, type Task } from '../use-requests.js';

/** Why a browser has no passkeys for this page. */
type NoPasskeys = 'insecure' | 'address' | 'browser';

type Place = Pick<Location, 'protocol' | 'hostname'>;

/** The reason why this browser has no passkeys here; `undefined` if it has them. */
export function whyNoPasskeys({ protocol, hostname }: Place = location): NoPasskeys | undefined {
  // An IP address is no host name, whatever the protocol.
  if (/^[\d.]+$|^\[/.test(hostname)) return protocol === 'https:' ? 'address' : 'insecure';
  if (protocol !== 'https:' && hostname !== 'localhost') return 'insecure';
  // Browsers have this function since 2025; with older browsers, people use the password.
  const { PublicKeyCredential: api } = globalThis as Partial<typeof globalThis>;
  return typeof api?.parseRequestOptionsFromJSON === 'function' ? undefined : 'browser';
}

/**
 * Lets the browser make a passkey. Resolves with its answer for the service. Rejects with a `DOMException` if the person cancels.
 */
export async function makePasskey(options: object): Promise<PasskeyAnswer> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return answerOf(await navigator.credentials.create({ publicKey }));
}

/** Lets the browser sign with a passkey. Rejects as {@link makePasskey}. */
export async function signWithPasskey(options: object): Promise<PasskeyAnswer> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return answerOf(await navigator.credentials.get({ publicKey }));
}

function answerOf(credential: Credential | null): PasskeyAnswer {
  if (credential instanceof PublicKeyCredential) return credential.toJSON() as PasskeyAnswer;
  throw new DOMException('there is none', 'NotAllowedError');
}

/** A task in which the browser asks for a passkey, which people may cancel. */
export function usePasskeyTask(codes: Readonly<Partial<Record<string, string>>>): Task {
  const { words } = usePage(passkeyTexts);
  const task = useTask({ ...codes, PASSKEYS_UNAVAILABLE: words.unavailable });
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    let stopped: string | undefined;
    const isDone = await task.run(async () => {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        stopped = error.name === 'InvalidStateError' ? words.presentHere : words.stopped;
      }
    });
    if (stopped !== undefined) task.fail(stopped);
    return isDone && stopped === undefined;
  };
  return { ...task, run };
}
