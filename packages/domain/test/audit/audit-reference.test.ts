import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { canonicalText, type AuditEntry } from '@tallybook/domain/access';

const page = new URL('../../../../docs/reference/audit-trail.md', import.meta.url);

describe('docs/reference/audit-trail.md', () => {
  it('shows real texts and hashes', async () => {
    const [, block = ''] = /```text\n([\s\S]*?)\n```/.exec(await readFile(page, 'utf8')) ?? [];
    const lines = block.split('\n');
    expect(lines).to.have.lengthOf(4);
    for (const [text = '', hash = ''] of [lines.slice(0, 2), lines.slice(2)]) {
      expect(canonicalText(JSON.parse(text) as AuditEntry)).to.equal(text);
      expect(createHash('sha256').update(text).digest('hex')).to.equal(hash);
    }
  });
});
