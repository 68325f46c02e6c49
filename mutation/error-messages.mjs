import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/**
 * Leaves the wording of errors alone: it is written for people and may change, so no test compares it.
 *
 * Wording is text with a space in it, in what is thrown, as Koa does too, or in the making of an error. Codes and the names of
 * fields have none, so they are still mutated.
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
