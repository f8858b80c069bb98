import { dirname } from 'node:path'
import { packageFile } from './checkout.ts'

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

/** What its tests know beside: Node and mocha. With npm every package of types lies beside the others. */
export const testTypes = {
  types: ['node', 'mocha'],
  typeRoots: [dirname(dirname(packageFile('@types/mocha/package.json')))],
}

/** Where a plugin's folder has what the command line makes for its editor. */
export const namesFile = '.stoa/names.d.ts'
