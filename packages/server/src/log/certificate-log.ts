import type { Log } from './log.js';

/** What is logged of the certificate for TLS. The shape is that of `KeyPairWatchOptions`. */
export function logCertificate(log: Log): {
  onRead(pair: { readonly names: string; readonly validTo: Date; readonly isKeyOpen: boolean }): void;
  onFault(error: unknown): void;
  onExpiry(validTo: Date, isOver: boolean): void;
} {
  return {
    onRead: ({ names, validTo, isKeyOpen }) => {
      log.info({ names, validTo }, 'certificate for https read');
      if (isKeyOpen) {
        log.warn(
          'everybody on this machine may read the file of --tls-key: take that right away (chmod o= FILE)',
        );
      }
    },
    onFault: (err) => {
      log.error({ err }, 'the files of the certificate changed and are of no use; the one before goes on');
    },
    onExpiry: (validTo, isOver) => {
      if (isOver) log.error({ validTo }, 'the certificate for https is over: browsers refuse it; renew it');
      else log.warn({ validTo }, 'the certificate for https ends soon: renew it');
    },
  };
}
