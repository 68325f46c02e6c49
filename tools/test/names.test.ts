import { expect } from 'chai';
import { read } from './fixtures/read-project.js';

const names = JSON.parse(read('packaging/names.json')) as Readonly<Record<string, string>>;

describe('The names of packaging/names.json', () => {
  it('are those of SECURITY.md and of the program', () => {
    expect(read('SECURITY.md')).to.include(`Write to <${names['securityContact']}>`);
    expect(read('packages/server/src/config/security-contact.ts')).to.include(
      `SECURITY_CONTACT: string = '${names['securityContact']}'`,
    );
  });

  it('have the address of the repository', () => {
    const { repository } = JSON.parse(read('package.json')) as {
      readonly repository: { readonly url: string };
    };
    expect(repository.url).to.equal(`git+${names['homepage']}.git`);
    expect(read('docs/how-to/install-a-release.md')).to.include(`<${names['homepage']}/releases>`);
  });
});
