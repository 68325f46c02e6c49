export { checkIssuer, checkProviderUrl } from './provider-url.js';
export type { OidcOptions } from './oidc-options.js';
export { OidcIdentityProvider } from './oidc-identity-provider.js';
