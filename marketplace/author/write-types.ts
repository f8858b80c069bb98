import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHECKOUT } from './checkout.ts'

/**
 * Writes `.stoa/tsconfig.json` of a plugin's folder, which leads its editor to the SDK of this checkout. It holds for one
 * machine and is written anew by every command that needs it.
 */
export async function writeTypes(directory: string): Promise<void> {
  const config = {
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
      types: ['node', 'mocha'],
      typeRoots: [join(CHECKOUT, 'node_modules/@types')],
      paths: {
        '@stoa/plugin-sdk': [join(CHECKOUT, 'sandbox/sdk/index.ts')],
        '@stoa/plugin-sdk/testing': [join(CHECKOUT, 'sandbox/sdk/testing/index.ts')],
      },
    },
  }
  await mkdir(join(directory, '.stoa'), { recursive: true })
  await writeFile(join(directory, '.stoa/tsconfig.json'), `${JSON.stringify(config, null, 2)}\n`)
}
