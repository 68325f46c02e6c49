import { noteAsOwner } from '../audit/command-trail.js';
import { repairDetails } from '../audit/audit-keeper.js';
import { createStorage, repairStore } from '../config/stores.js';
import { ofCommand } from './of-command.js';
import { ProgressLine } from './terminal-output.js';
import { summarize } from '../log/store-log.js';

/**
 * Repairs a store.
 *
 * @param store Store URL.
 * @returns The damage, and the saved data, as lines for people.
 */
export async function repair(
  store: string,
  { progress = new ProgressLine(process.stderr) }: { readonly progress?: ProgressLine } = {},
): Promise<readonly string[]> {
  const report = await progress.during(`reading all of ${store}`, repairStore(store));
  if (report.keptIn !== undefined) {
    await using storage = createStorage(store, ofCommand);
    await storage.open();
    await noteAsOwner(storage, 'store-repaired', repairDetails(report));
  }
  if (report.damages.length > 0) return [...report.damages, summarize(report), nextStep(store)];
  return [`the store is sound and was not changed; it holds ${summarize(report).replace('saved ', '')}`];
}

function nextStep(store: string): string {
  return `now import the last backup, which may have the lost data: tallybook import --store ${store} FILE; then start the service`;
}
