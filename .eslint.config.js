import js from '@eslint/js'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['node_modules/', '.data/', 'coverage/', '**/dist/'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
        { selector: 'ExportDefaultDeclaration', message: 'Name the export after the file.' },
      ],
    },
  },
  {
    // A plugin's index.ts, a migration file, the entry of a fixture or a template: their loaders read the default export.
    files: [
      'core-plugins/*/index.ts',
      '**/migrations/*.ts',
      'test/fixtures/plugins/**/*.ts',
      'marketplace/templates/*/src/index.ts',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // describe and it return promises that mocha itself awaits; chained assertions read as expressions.
    files: ['test/**/*.ts', 'marketplace/templates/*/test/*.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' },
  },
  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly', module: 'writable' } },
  },
)
