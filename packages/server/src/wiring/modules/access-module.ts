import type { ContainerModule } from 'inversify';
import type { AuditNotes } from '@tallybook/domain';
import { AccessService, AuditTrail } from '@tallybook/domain/access';
import { WebauthnPasskeyVerifier } from '@tallybook/passkeys-webauthn';
import { SystemSecrets } from '@tallybook/system';
import { isLoopback } from '../../config/loopback.js';
import { storeFolderOf } from '../../config/stores.js';
import { ControlSocket } from '../../control/control-socket.js';
import { SetupCodeFile } from '../../control/setup-code-file.js';
import { AccessLog } from '../../log/access-log.js';
import { createIdentityProvider, identityRulesOf } from '../identity-provider.js';
import { moduleOf } from '../module-of.js';

/** Longest time, in milliseconds, for which a session may go on here after another server has ended it. */
const LOOK_AT_ACCESS_MS = 250;

/** Access: users and rights, and commands of the owner of the store without a password. */
export const accessModule: ContainerModule = moduleOf({
  secrets: () => new SystemSecrets(),
  passkeyVerifier: () => new WebauthnPasskeyVerifier(),
  accessLog: ({ log, clock }) => new AccessLog(log, clock),
  access: (services) => {
    const { secrets, timekeeper, calendar, accessLog, config } = services;
    const { passkeyVerifier: passkeys } = services;
    const { access: store, isShared = false } = services.storage;
    const audit: AuditNotes = {
      note: async (actor, action, details) => {
        accessLog.note(actor, action, details);
        // The trail is read only now, because it uses this service to find out whether there are users.
        await services.auditTrail.note(actor, action, details);
      },
    };
    const onFault = (error: unknown): void => accessLog.noteFault(error);
    const provider = services.identityProvider ?? createIdentityProvider(config, timekeeper, services.log);
    // Only programs on this machine reach a loopback address. But if people sign in at a provider, others reach the service through
    // a proxy.
    const isPrivate = isLoopback(config.host) && provider === undefined;
    const requiresClaim = !config.isInsecure && !isPrivate;
    const identityRules = identityRulesOf(config);
    const options = {
      requiresClaim,
      identityRules,
      ...(isShared && { lookMs: LOOK_AT_ACCESS_MS }),
    };
    const parts = { store, secrets, passkeys, timekeeper, calendar, audit, onFault };
    return new AccessService({ ...parts, ...(provider !== undefined && { provider }) }, options);
  },
  auditTrail: ({ storage: { audit: store }, secrets, timekeeper, access }) =>
    new AuditTrail(
      { store, timekeeper, digest: (text) => secrets.digest(text) },
      { isClaimed: () => access.state === 'claimed' },
    ),
  setupCodeFile: ({ access, config: { store }, log }) =>
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
