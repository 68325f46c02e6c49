import { parseTallyId } from '@tallybook/domain';
import { expect } from 'chai';
import { useService } from '../../fixtures/running-service.js';

const ada = { first: 'Ada', last: 'Lovelace' };
const grace = { first: 'Grace', last: 'Hopper' };

describe('GET /api/mapping', () => {
  const service = useService();

  it('is an empty object when nobody has a tag', async () => {
    expect((await service.request('/api/mapping')).text).to.equal('{}');
  });

  it('lists all names, ascending by id, also ids that look like array indices', async () => {
    for (const id of ['FF0000', '1000000000', '04A2B3C4D5', '999999', '00000000']) {
      await service.post({ id, name: ada });
    }
    const { text } = await service.request('/api/mapping');
    const name = '{"first":"Ada","last":"Lovelace"}';
    expect(text).to.equal(
      `{"00000000":${name},"04A2B3C4D5":${name},"1000000000":${name},"999999":${name},"FF0000":${name}}`,
    );
  });

  it('keeps names with quotes, line separators and characters beyond the BMP intact', async () => {
    const name = { first: '"\\ \u2028 <b>', last: '𝒜da 李' };
    await service.post({ id: '04A2B3C4D5', name });
    expect(await service.json('/api/mapping')).to.deep.equal({ '04A2B3C4D5': name });
  });
});

describe('POST /api/mapping', () => {
  const service = useService();

  it('answers 201 with an empty body when the tag is new', async () => {
    const { status, headers, text } = await service.post({ id: '04A2B3C4D5', name: ada });
    expect(status).to.equal(201);
    expect(text).to.equal('');
    expect(headers.get('content-length')).to.equal('0');
    expect(headers.has('content-type')).to.equal(false);
  });

  it('answers 200 with an empty body and replaces the name when the tag has one', async () => {
    await service.post({ id: '04A2B3C4D5', name: ada });
    const { status, headers, text } = await service.post({ id: '04:a2:b3:c4:d5', name: grace });
    expect([status, text, headers.get('content-length')]).to.deep.equal([200, '', '0']);
    expect(headers.has('content-type')).to.equal(false);
    expect(await service.json('/api/mapping')).to.deep.equal({ '04A2B3C4D5': grace });
  });

  it('has stored the name when it answers', async () => {
    await service.post({ id: '04 a2 b3 c4 d5', name: { first: '  Ada ', last: '' } });
    expect(await service.mapping.get(parseTallyId('04A2B3C4D5'))).to.deep.equal({ first: 'Ada', last: '' });
  });

  it('accepts the shortest and the longest id, and an id of only zeros', async () => {
    for (const id of ['000000', 'ab'.repeat(10)]) {
      expect((await service.post({ id, name: ada })).status).to.equal(201);
    }
    expect(Object.keys(await service.json<object>('/api/mapping'))).to.deep.equal([
      '000000',
      'AB'.repeat(10),
    ]);
  });

  it('ignores unknown fields, and uses the last one of equal fields', async () => {
    const body = `{"id":"000001","__proto__":{"first":"x"},"x":1,"id":"000002","name":${JSON.stringify(ada)}}`;
    expect((await service.post(body)).status).to.equal(201);
    expect(await service.json('/api/mapping')).to.deep.equal({ '000002': ada });
  });
});
