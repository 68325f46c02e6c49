import type { ContainerModule } from 'inversify';
import { WebauthnPasskeyVerifier } from '@tallybook/passkeys-webauthn';
import { SystemSecrets } from '@tallybook/system';
import { storeFolderOf } from '../../config/stores.js';
import { ControlSocket } from '../../control/control-socket.js';
import { SetupCodeFile } from '../../control/setup-code-file.js';
import { AccessLog } from '../../log/access-log.js';
import { moduleOf } from '../module-of.js';

/** Access: users and rights, and commands of the owner of the store without a password. */
export const accessModule: ContainerModule = moduleOf({
  secrets: () => new SystemSecrets(),
  passkeyVerifier: () => new WebauthnPasskeyVerifier(),
  accessLog: ({ log, clock }) => new AccessLog(log, clock),
  setupCodeFile: ({ tallybook: { access }, config: { store }, log }) =>
    new SetupCodeFile(access, storeFolderOf(store), (err) => {
      log.warn({ err }, 'could not write the setup code into a file; it is in this log');
    }),
  controlSocket: ({ app, config: { store }, log }) =>
    new ControlSocket(app.callback(), storeFolderOf(store), {
      onFault: (err) => {
        log.warn(
          { err },
          'commands such as "tallybook user" cannot reach this service: stop it before you use them',
        );
      },
    }),
});
