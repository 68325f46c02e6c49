import { lifecycleContract } from '@tallybook/testing';
import { EventFeed } from '../src/index.js';
import { FeedParts } from './fixtures/feed-parts.js';

lifecycleContract(
  { describe, it },
  {
    name: 'EventFeed',
    make: async () => {
      const feed = new EventFeed(await new FeedParts().open());
      return { resource: feed, cleanup: () => feed.close() };
    },
  },
);
