export { SystemSecrets, type SystemSecretsOptions } from './system-secrets.js';
