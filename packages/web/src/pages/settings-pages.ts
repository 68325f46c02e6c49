// The pages about the settings that the service stores, which are loaded together.
export { FirstStepsPage } from './settings/first-steps-page.js';
export { RestoreDialog } from './settings/restore-dialog.js';
export { SettingsCard } from './settings/settings-card.js';
export { SettingsPage } from './settings/settings-page.js';
