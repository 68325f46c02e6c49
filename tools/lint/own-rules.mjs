// The linter's own rules for this repository. .oxlintrc.json names them.
const EXPORT_ALL = 'Name what is exported.';
const SKIP = 'A test that cannot run here says why: this.skip(reason).';
const IS_TEST = /^(?:it|describe|specify)$/;

export default {
  meta: { name: 'own' },
  rules: {
    'no-export-all': {
      create: (context) => ({
        ExportAllDeclaration: (node) => context.report({ node, message: EXPORT_ALL }),
      }),
    },
    'no-unexplained-skip': {
      create: (context) => ({
        CallExpression(node) {
          const { callee } = node;
          const isLeftOut = callee.type === 'Identifier' && /^x(?:it|describe|specify)$/.test(callee.name);
          const isSkip = callee.type === 'MemberExpression' && callee.property.name === 'skip';
          if (isLeftOut || (isSkip && node.arguments.length === 0)) context.report({ node, message: SKIP });
        },
        MemberExpression(node) {
          if (node.property.name === 'skip' && IS_TEST.test(node.object.name))
            context.report({ node, message: SKIP });
        },
      }),
    },
  },
};
