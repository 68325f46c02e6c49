import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const restrictedSyntax = [
  { selector: 'ExportDefaultDeclaration', message: 'Use named exports.' },
  { selector: 'ExportAllDeclaration', message: 'Name what is exported.' },
];

export default defineConfig(
  globalIgnores(['**/dist/', 'packages/server/program/', 'coverage/']),
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.test.json', './packages/web/tsconfig.test.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // Explicit types on exports are asked for by isolatedDeclarations, also where they could be inferred.
      '@typescript-eslint/no-inferrable-types': 'off',
      // `() => void expression` says that the value is dropped on purpose.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreVoidOperator: true, ignoreArrowShorthand: true },
      ],
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/consistent-generic-constructors': 'off',
      // An async function without await turns what it throws into a rejection, which is what a port promises.
      '@typescript-eslint/require-await': 'off',
      // Koa's callback() handles its own rejections, so it may be given where nothing looks at the promise.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', ...restrictedSyntax],
    },
  },
  {
    files: ['packages/domain/src/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^[^.]', message: 'The domain imports nothing from outside.' }] },
      ],
    },
  },
  {
    files: ['{packages,examples}/*/test/**/*.ts', '{reliability,tools}/test/**/*.ts'],
    rules: {
      // chai's assertions are property accesses.
      '@typescript-eslint/no-unused-expressions': 'off',
      'no-restricted-syntax': [
        'error',
        ...restrictedSyntax,
        {
          selector: 'MemberExpression[property.name="skip"][object.name=/^(?:it|describe|specify)$/]',
          message: 'A test that cannot run here says why: this.skip(reason).',
        },
        {
          selector: 'CallExpression[callee.property.name="skip"][arguments.length=0]',
          message: 'Say why: this.skip(reason).',
        },
        {
          selector: 'CallExpression[callee.name=/^x(?:it|describe|specify)$/]',
          message: 'A test that cannot run here says why: this.skip(reason).',
        },
      ],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        module: 'writable',
        __dirname: 'readonly',
        __filename: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        AbortSignal: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
        Buffer: 'readonly',
        require: 'readonly',
        exports: 'writable',
        setImmediate: 'readonly',
      },
    },
  },
);
