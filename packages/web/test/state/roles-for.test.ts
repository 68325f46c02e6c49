import { actions, rolesFor as rolesOfService } from '@tallybook/domain/access';
import { expect } from 'chai';
import { routes } from '../../src/routes.js';
import { rolesFor } from '../../src/state/access.js';

describe('the roles that may see a page', () => {
  for (const needs of new Set(routes.map(({ needs }) => needs).filter((action) => action !== ''))) {
    it(`are those of the service: ${needs}`, () => {
      const action = actions.find((each) => each === needs);
      expect(rolesFor(needs)).to.deep.equal(action && rolesOfService(action));
    });
  }

  it('are none for what no page needs', () => {
    expect(rolesFor('set-time')).to.deep.equal([]);
  });
});
