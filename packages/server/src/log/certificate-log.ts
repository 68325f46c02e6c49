import type { Log } from './log.js';

/** Logs the certificate for TLS, with callbacks for `KeyPairWatchOptions`. */
export function logCertificate(log: Log): {
  onRead(pair: { readonly names: string; readonly validTo: Date; readonly isKeyOpen: boolean }): void;
  onFault(error: unknown): void;
  onExpiry(validTo: Date, isOver: boolean): void;
} {
  return {
    onRead: ({ names, validTo, isKeyOpen }) => {
      log.info({ names, validTo }, 'certificate for https read');
      if (isKeyOpen) {
        log.warn('everybody on this machine can read the file of --tls-key; forbid it with chmod o= FILE');
      }
    },
    onFault: (err) => {
      log.error({ err }, 'the new files of the certificate cannot be used; the old certificate stays in use');
    },
    onExpiry: (validTo, isOver) => {
      if (isOver)
        log.error({ validTo }, 'the certificate for https has expired: browsers refuse it; renew it');
      else log.warn({ validTo }, 'the certificate for https expires soon: renew it');
    },
  };
}
