import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { bundle } from '../../marketplace/pack/bundle.ts'
import { loadPlugin } from '../../marketplace/testing.ts'
import { sampleManifest } from '../marketplace/sample-package.ts'
import type { TriedModule } from './list.ts'

/** How a module does in a sandbox. */
export interface Trial {
  readonly module: TriedModule
  readonly works: boolean
  /** What of a plugin's file it takes. */
  readonly kilobytes?: number
  /** What the product says of it, where it does not work. */
  readonly says?: string
}

const answer = { body: { a: 1 } }
const list = { body: { object: 'list', data: [{ id: 'a' }], has_more: false, url: '/v1/a' } }
/** What the clients of other services are answered. */
const http = {
  'GET https://api.example.com/a': answer,
  'GET https://api.example.com/models': list,
  'GET https://api.example.com/v1/models': list,
  'GET https://api.example.com/v1/products': list,
}
const why = 'To try clients of other services.'

/** Packs a plugin that uses the module as `stoa pack` does, and calls its handler in a sandbox. The folder has the module installed. */
export async function tryModule(folder: string, module: TriedModule): Promise<Trial> {
  const plugin = join(folder, 'plugin')
  await writePlugin(plugin, module)
  try {
    const kilobytes = Math.ceil((await bundle(plugin, 'src/index.js')).code.length / 1024)
    await using loaded = await loadPlugin(plugin, { http })
    const { status, data, error, stack } = await loaded.call('run')
    if (status !== 200) return { module, works: false, kilobytes, says: stack ?? error?.message ?? String(status) }
    const works = isDeepStrictEqual(data, module.gives)
    return { module, works, kilobytes, ...(works ? {} : { says: `It gives ${JSON.stringify(data)}` }) }
  } catch (error) {
    return { module, works: false, says: (error as Error).message }
  }
}

async function writePlugin(folder: string, { imports, line }: TriedModule): Promise<void> {
  await mkdir(join(folder, 'src'), { recursive: true })
  const manifest = sampleManifest({
    capabilities: ['http'],
    reasons: { http: why },
    http: { hosts: [{ host: 'api.example.com', methods: ['GET'], reason: why }] },
  })
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  const source = `${imports}\nexport default { handlers: { async run(request, ctx) { return ${line} } } }\n`
  await writeFile(join(folder, 'src/index.js'), source)
}
