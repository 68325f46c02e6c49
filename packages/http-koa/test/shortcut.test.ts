import Router from '@koa/router';
import { expect } from 'chai';
import { shortcut } from '../src/shortcut.js';

describe('shortcut', () => {
  it('refuses a router with middleware of its own, which it would pass by', () => {
    const guarded = new Router().get('/open', () => undefined).use(() => undefined);
    expect(() => shortcut(guarded)).to.throw(TypeError, /middleware/);
    const chained = new Router().get(
      '/open',
      (_, next) => next(),
      () => undefined,
    );
    expect(() => shortcut(chained)).to.throw(TypeError, /middleware/);
  });
});
