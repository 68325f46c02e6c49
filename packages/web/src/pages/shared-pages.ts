// What somebody sees who may not see a page, or leaves one: loaded together.
export { LeaveKiosk } from './kiosk/leave-kiosk.js';
export { SetupPage } from './sign-in/setup-page.js';
export { SignInDialog, SignInPage } from './sign-in/sign-in-page.js';
export { NotAllowed } from '../parts/access/not-allowed.js';
