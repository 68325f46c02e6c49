import { expect } from 'chai';
import { loadConfig, type Settings } from '../../src/config/config.js';
import { parseGroupRole } from '../../src/config/parse-setting.js';
import { problemsOf } from '../fixtures/problems-of.js';

const whole: Settings = {
  oidcIssuer: 'https://id.example.org/realms/school/',
  oidcClientId: 'tallybook',
  publicUrl: 'https://tally.example.org',
};

describe('settings of an identity provider', () => {
  it('are used unchanged, and the page as a folder', () => {
    const { oidcIssuer, publicUrl } = loadConfig(whole, {});
    expect([oidcIssuer, publicUrl]).to.deep.equal([whole.oidcIssuer, 'https://tally.example.org/']);
  });

  it('are not needed for the URL of the page', () => {
    expect(problemsOf({ publicUrl: 'https://tally.example.org' })).to.deep.equal([]);
  });

  it('are URLs of https, or of this machine', () => {
    for (const [flag, url] of [
      ['oidcIssuer', 'http://id.example.org'],
      ['oidcIssuer', 'id.example.org'],
      ['oidcIssuer', 'https://id.example.org/?a=b'],
      ['oidcIssuer', 'https://user:secret@id.example.org'],
      ['oidcIssuer', 'https://login.microsoftonline.com/common/v2.0'],
      ['publicUrl', 'http://192.168.0.7'],
      ['publicUrl', 'https://tally.example.org/#/'],
      ['publicUrl', 'javascript:alert(1)'],
    ] as const) {
      const said = problemsOf({ ...whole, [flag]: url }).join();
      expect(said, url).to.match(/^--(?:oidc-issuer|public-url): /);
      expect(said).not.to.include('secret@');
    }
    expect(
      problemsOf({ ...whole, oidcIssuer: 'http://127.0.0.1:9000', publicUrl: 'http://[::1]/' }),
    ).to.deep.equal([]);
  });

  it('have existing roles, and texts of one line', () => {
    expect(problemsOf({ ...whole, oidcRole: 'root' }).join()).to.include('one of device,');
    expect(problemsOf({ ...whole, oidcGroupsClaim: 'g', oidcGroupRole: ['a=root'] }).join()).to.include(
      'one of',
    );
    expect(problemsOf({ ...whole, oidcLabel: 'a\nb' }).join()).to.include('one line');
    expect(problemsOf({ ...whole, oidcLabel: 'a'.repeat(101) }).join()).to.include('1 to 100');
  });
});

describe('the roles of groups', () => {
  const rolesOf = (text: string): readonly string[] =>
    loadConfig({ ...whole, oidcGroupsClaim: 'g' }, { TALLYBOOK_OIDC_GROUP_ROLES: text }).oidcGroupRoles;
  const staff = 'cn=staff,ou=groups,dc=example=viewer';

  it('are after the last equals sign: names of a directory have such signs, and commas', () => {
    for (const group of [
      'a',
      'a b',
      'a=b',
      'cn=staff,ou=groups,dc=example',
      'cn=admin,ou=x',
      '{"a":1}',
      'a,b',
    ])
      expect(parseGroupRole(` ${group}=desk `), group).to.deep.equal([group, 'desk']);
    for (const wrong of ['', '=desk', ' =desk', 'desk', 'a=', 'a=b=', 'cn=staff,ou=groups', 'desk=a'])
      expect(() => parseGroupRole(wrong), wrong).to.throw(/GROUP=ROLE|one of device/);
    const { oidcGroupRoles } = loadConfig({ ...whole, oidcGroupsClaim: 'g', oidcGroupRole: [staff] }, {});
    expect(oidcGroupRoles).to.deep.equal([staff]);
  });

  it('are in a variable with commas between them, or one a line', () => {
    expect(rolesOf('a=viewer, b c=desk')).to.deep.equal(['a=viewer', 'b c=desk']);
    expect(rolesOf(`\n ${staff}\r\n\nb,c=desk\n`)).to.deep.equal([staff, 'b,c=desk']);
    expect(rolesOf(staff)).to.deep.equal([staff]);
    expect(rolesOf('cn=admin,ou=groups=viewer\n')).to.deep.equal(['cn=admin,ou=groups=viewer']);
  });

  for (const unclear of [`a=desk,${staff}`, `${staff},a=desk`, 'cn=admin,ou=groups=viewer']) {
    it(`are refused if it is unclear where one ends: ${unclear}`, () => {
      expect(() => rolesOf(unclear)).to.throw(
        /^TALLYBOOK_OIDC_GROUP_ROLES: write each GROUP=ROLE on a line of its own/,
      );
    });
  }
});
