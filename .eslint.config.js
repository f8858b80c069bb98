import js from '@eslint/js'
import vue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  // Declarations of globals have the form that the compiler asks for, with `var`.
  {
    ignores: [
      'node_modules/',
      '.data/',
      'coverage/',
      '**/dist/',
      'sandbox/sdk/web/',
      'test/wpt/harness.js',
      '**/.stoa/',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  ...vue.configs['flat/recommended'].map((config) => ({ ...config, files: ['**/*.vue'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'variable', modifiers: ['destructured'], format: null },
        { selector: 'variable', format: null, custom: { regex: '^[A-Z][A-Z0-9_]+$', match: false } },
      ],
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
    // Their types are vue-tsc's business; the formatter sets their lines.
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      'no-undef': 'off',
      'no-unused-vars': 'off',
      'vue/block-order': ['error', { order: ['script', 'template', 'style'] }],
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/html-self-closing': 'off',
      'vue/html-indent': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/max-attributes-per-line': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/require-default-prop': 'off',
      'vue/attributes-order': 'off',
      'vue/no-v-html': 'error',
    },
  },
  {
    // The types of components are known to vue-tsc alone.
    files: ['core-plugins/console/web/main.ts', 'core-plugins/console/web/try-page/main.ts'],
    rules: { '@typescript-eslint/no-unsafe-argument': 'off' },
  },
  {
    // A plugin's index.ts, a migration file, the entry of a fixture or a template: their loaders read the default export.
    files: [
      'core-plugins/*/index.ts',
      'core-plugins/console/web/vite.config.ts',
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
    languageOptions: {
      globals: {
        localStorage: 'readonly',
        matchMedia: 'readonly',
        document: 'readonly',
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        module: 'writable',
      },
    },
  },
)
