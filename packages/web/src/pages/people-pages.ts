// The pages about persons, groups and guests, which are loaded together.
export { GroupsPage } from './groups/groups-page.js';
export { GuestDialog } from './guests/guest-dialog.js';
export { TakeBackDialog } from './guests/take-back-dialog.js';
export { PeoplePage } from './people/people-page.js';
export { PersonPage } from './person/person-page.js';
