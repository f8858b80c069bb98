import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkout } from './checkout.ts'

/**
 * Writes what leads a plugin's editor to the SDK of this checkout: `.stoa/tsconfig.json` for its sources, which know nothing of
 * Node, and `.stoa/tests.json` for its tests. They hold for one machine and are written anew by every command that needs them.
 */
export async function writeTypes(directory: string): Promise<void> {
  const sources = {
    compilerOptions: {
      noEmit: true,
      target: 'esnext',
      lib: ['esnext'],
      module: 'nodenext',
      moduleResolution: 'nodenext',
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      types: [],
      paths: {
        '@stoa/plugin-sdk': [join(checkout, 'sandbox/sdk/index.ts')],
        '@stoa/plugin-sdk/testing': [join(checkout, 'sandbox/sdk/testing/index.ts')],
      },
    },
  }
  await mkdir(join(directory, '.stoa'), { recursive: true })
  const tests = {
    extends: './tsconfig.json',
    compilerOptions: { types: ['node', 'mocha'], typeRoots: [join(checkout, 'node_modules/@types')] },
  }
  await writeFile(join(directory, '.stoa/tsconfig.json'), `${JSON.stringify(sources, null, 2)}\n`)
  await writeFile(join(directory, '.stoa/tests.json'), `${JSON.stringify(tests, null, 2)}\n`)
}
