import { ManagedResource } from '@tallybook/domain';

/** A store that has nothing to acquire: it only refuses to work while it is closed. */
export abstract class MemoryStore extends ManagedResource {
  protected override onOpen(): Promise<void> {
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }
}
