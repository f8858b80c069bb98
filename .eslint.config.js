import vue from 'eslint-plugin-vue'
import * as parser from '@typescript-eslint/parser'

/** Components alone: everything else is oxlint's, which knows types as well. */
export default [
  { ignores: ['**/*', '!**/', '!**/*.vue', 'node_modules/', '.data/', 'coverage/', '**/dist/', '**/.stoa/'] },
  ...vue.configs['flat/recommended'].map((config) => ({ ...config, files: ['**/*.vue'] })),
  {
    // Their types are vue-tsc's business; the formatter sets their lines.
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser } },
    rules: {
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
]
