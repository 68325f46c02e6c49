import { Emitter, type AttendanceEvent } from '@tallybook/domain';
import { lifecycleContract } from '@tallybook/testing';
import { EventFeed } from '../src/index.js';

lifecycleContract(
  { describe, it },
  {
    name: 'EventFeed',
    make: () => {
      const feed = new EventFeed(new Emitter<AttendanceEvent>());
      return { resource: feed, cleanup: () => feed.close() };
    },
  },
);
