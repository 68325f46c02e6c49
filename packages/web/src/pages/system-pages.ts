// The pages for administrators, which are loaded together.
export { AccountPage } from './access/account-page.js';
export { TokensPage } from './access/tokens-page.js';
export { UsersPage } from './access/users-page.js';
export { AuditPage } from './audit-page.js';
export { PersonalPage } from './personal/personal-page.js';
export { PasskeySignIn } from './sign-in/passkey-sign-in.js';
export { SystemPage } from './system/system-page.js';
