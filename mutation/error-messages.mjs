import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/**
 * Does not mutate the wording of errors: it is written for people and may change, so no test compares it.
 *
 * Wording is a text with a space, in a thrown expression, in a `throw` of Koa, or in the constructor of an error. Codes and
 * names of fields have no space, so they are still mutated.
 */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'error-messages', {
    shouldIgnore(path) {
      if (!isWording(path.node)) return undefined;
      return path.findParent(({ node }) => isError(node)) ? 'the wording of an error' : undefined;
    },
  }),
];

function isWording(node) {
  if (node.type === 'StringLiteral') return node.value.includes(' ');
  return node.type === 'TemplateLiteral' && node.quasis.some(({ value }) => value.raw.includes(' '));
}

function isError(node) {
  if (node.type === 'ThrowStatement') return true;
  if (node.type === 'CallExpression') return node.callee.property?.name === 'throw';
  return node.type === 'NewExpression' && node.callee.name?.endsWith('Error') === true;
}
