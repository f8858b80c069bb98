import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { loadPageSdk, manifestJsonSchema } from '#sandbox'
import { emitTypes } from './emit-types.ts'

/** `stoa test` runs tests with a harness of its own; this is for those who start mocha by themselves. */
const testing = `export { loadPlugin } from '@stoa/cli/testing'\n`

/** Writes the SDK: the little of it that runs, its types, the bridge of pages, and the schema of the manifest. */
export async function writeSdk(checkout: string, target: string): Promise<void> {
  const sources = join(checkout, 'sandbox')
  await mkdir(join(target, 'ui'), { recursive: true })
  await emitTypes(sources, ['sdk/index.ts', 'sdk/testing/index.ts'], target, ['esnext'])
  await emitTypes(sources, ['sdk/ui/stoa-ui.ts'], target, ['esnext', 'dom', 'dom.iterable'])
  await cp(join(sources, 'sdk/web'), join(target, 'sdk/web'), { recursive: true })
  await build({
    entryPoints: [join(sources, 'sdk/index.ts')],
    outfile: join(target, 'index.js'),
    ...{ bundle: true, format: 'esm', platform: 'neutral', target: 'es2022', legalComments: 'none' },
  })
  await writeFile(join(target, 'testing.js'), testing)
  await writeFile(join(target, 'ui/stoa-ui.js'), (await loadPageSdk('stoa-ui.js'))?.content ?? '')
  await cp(join(sources, 'sdk/ui/stoa-ui.css'), join(target, 'ui/stoa-ui.css'))
  await writeFile(join(target, 'manifest.schema.json'), `${JSON.stringify(manifestJsonSchema, null, 2)}\n`)
}
