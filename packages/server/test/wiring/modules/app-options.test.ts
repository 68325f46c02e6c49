import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { loadConfig } from '@tallybook/server';
import { expect } from 'chai';
import { appOptionsOf } from '../../../src/wiring/modules/app-options.js';

describe('The options of the HTTP interface from the configuration', () => {
  it('include the users of a proxy, and the limits of clients', () => {
    const options = appOptionsOf(
      loadConfig(
        {
          ...{ allowedHost: ['tally.example'], publicUrl: 'https://club.example/' },
          ...{ trustedProxy: ['10.0.0.7'], authHeader: 'Remote-User', authHeaderRole: 'viewer' },
          ...{ authGroupsHeader: 'Remote-Groups', authGroupRole: ['staff=desk', 'it=admin'] },
          ...{ maxExports: '3', maxExportsPerMinute: '4', maxReadsPerSecond: '5', maxWritesPerSecond: '6' },
          ...{ maxStreamsPerAddress: '7', maxStreamsPerSession: '8', insecure: 'true' },
        },
        {},
      ),
    );
    const { access, ...others } = options;
    expect(others).to.deep.equal({
      ...{ allowedHosts: ['tally.example', 'club.example'], maxExports: 3, maxExportsPerMinute: 4 },
      ...{ maxReadsPerSecond: 5, maxWritesPerSecond: 6, maxStreamsPerAddress: 7, maxStreamsPerSession: 8 },
    });
    const { principalOf, ...rules } = access ?? {};
    expect(rules).to.deep.equal({
      ...{ trustedProxies: ['10.0.0.7'], isInsecure: true, authHeader: 'remote-user' },
      ...{ authHeaderRole: 'viewer', authGroupsHeader: 'remote-groups' },
      authGroupRoles: { staff: 'desk', it: 'admin' },
    });
    // A client that does not use the control socket is not identified yet.
    expect(principalOf?.(new IncomingMessage(new Socket()))).to.equal(undefined);
  });

  it('include no users of a proxy by default', () => {
    const { principalOf, ...rules } = appOptionsOf(loadConfig({}, {})).access ?? {};
    expect(principalOf).to.be.a('function');
    expect(rules).to.deep.equal({ trustedProxies: [], isInsecure: false, authGroupRoles: {} });
  });
});
