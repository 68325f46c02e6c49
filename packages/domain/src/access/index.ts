export { auditActions } from '../ports/audit-notes.js';
export type {
  AccessOptions,
  Origin,
  SignedIn,
  SignedInElsewhere,
  Transport,
  UserView,
} from './access-parts.js';
export { AccessService } from './access-service.js';
export { AuditTrail, UNWRITTEN_MAX, type UnwrittenNote } from './audit/audit-trail.js';
export { canonicalText, entriesOf, type AuditFault, type AuditVerification } from './audit/audit-chain.js';
export { TOKEN_MAX_DAYS } from './credentials/credential-keeper.js';
export { LABEL_MAX_LENGTH } from './ids-and-labels.js';
export type { NewPasskeyRequest, PasskeyChallenge, PasskeyView } from './passkeys/passkey-parts.js';
export { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './passwords/password-rules.js';
export type { AccessChanges, AccessFacets, AccessRecord, AccessStore } from './ports/access-store.js';
export type { AuditStore, EntryAfter } from './ports/audit-store.js';
export type { Identity, IdentityProvider, ProvenIdentity, SignInStart } from './ports/identity-provider.js';
export type {
  ExpectedAnswer,
  MadePasskey,
  PasskeyPlace,
  PasskeyVerifier,
  UsedPasskey,
} from './ports/passkey-verifier.js';
export type { PasswordCheck, Secrets } from './ports/secrets.js';
export { anyone, nobody, owner, personOf, type Principal } from './principal.js';
export { roleOfGroups, SUBJECT_MAX_LENGTH, type IdentityRules } from './provider/identities.js';
export { USER_NAME_MAX_LENGTH, userNameOf } from './user-rules.js';
export {
  readCredential,
  readUser,
  writeCredential,
  writeUser,
  type Credential,
  type User,
  type UserIdentity,
} from './values/access.js';
export {
  AUDIT_BEGINNING,
  readAuditEntry,
  SERVICE_ACTOR,
  writeAuditEntry,
  type AuditEntry,
  type AuditHead,
} from './values/audit.js';
export type { UserPasskeys } from './values/passkey.js';
export { actions, authorise, mayDo, roles, rolesFor, type Action, type Role } from './values/roles.js';
export { access, type AccessServices } from './access-feature.js';
