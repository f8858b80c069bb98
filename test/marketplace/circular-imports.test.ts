import { deepEqual } from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inspectPlugin } from '../../marketplace/inspect/inspect-plugin.ts'
import { makeScratch, sampleManifest } from './sample-package.ts'

/** What is told of a plugin of these files. */
async function told(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await using scratch = await makeScratch()
  const all = { 'manifest.json': JSON.stringify(sampleManifest()), ...files }
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(scratch.path, name)), { recursive: true })
    await writeFile(join(scratch.path, name), text)
  }
  const { findings } = await inspectPlugin(scratch.path, { isLoaded: false })
  return findings.map(({ level, rule, file, message }) => `${level} ${rule} ${file} ${message.split('. ')[0]}`)
}

const main = `import { one } from './one.js'\nexport default { handlers: { run: async () => one() } }\n`

describe('files of a plugin that import each other', () => {
  it('are told with the chain, once', async () => {
    const files = {
      'src/index.js': `${main}import './deep/two.js'\n`,
      'src/one.js': `import { two } from './deep/two.js'\nexport const one = () => two()\n`,
      'src/deep/two.js': `export { three as two } from '../three.js'\n`,
      'src/three.js': `import { one } from './one.js'\nexport const three = () => one\n`,
    }
    deepEqual(await told(files), [
      'warning circular_import src/deep/two.js It imports itself: src/deep/two.js → src/three.js → src/one.js → src/deep/two.js',
    ])
  })

  it('are nothing to tell where there is no circle, nor in packages, nor where one is loaded later', async () => {
    const files = {
      'src/index.js': main,
      'src/one.js': `import { two } from './two.js'\nimport a from 'a'\nexport const one = () => [two, a]\n`,
      'src/two.js': `export const two = () => import('./one.js')\n`,
      'node_modules/a/package.json': '{ "main": "a.js" }',
      'node_modules/a/a.js': `import './b.js'\nexport default 1\n`,
      'node_modules/a/b.js': `import './a.js'\nexport default 2\n`,
    }
    deepEqual(await told(files), [])
  })
})
