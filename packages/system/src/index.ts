export { isCommonPassword } from './passwords/is-common-password.js';
export { isOpenToOthers, secretFile } from './secret-file.js';
export { SystemClock, type SystemClockOptions } from './system-clock.js';
export { SystemSecrets, type SystemSecretsOptions } from './system-secrets.js';
