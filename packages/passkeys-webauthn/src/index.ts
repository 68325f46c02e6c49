export { WebauthnPasskeyVerifier } from './webauthn-passkey-verifier.js';
