/** How sources of plugins are compiled, as tsconfig.json says it: bundled, with the language, and nothing of Node or browsers. */
export const typeOptions = {
  noEmit: true,
  target: 'esnext',
  lib: ['esnext'],
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: [],
} as const

/** Where a plugin's folder has what the command line makes for its editor. */
export const namesFile = '.stoa/names.d.ts'
