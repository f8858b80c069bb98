import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { assemblePackage } from '../../marketplace/pack.ts'
import { checkout } from './host-process.ts'

/** Changes a manifest before it is packed. */
export type Edit = (manifest: Record<string, unknown>) => Record<string, unknown>

/** Packs one of test/fixtures/plugins, its manifest edited first, and returns the zip's bytes. */
export async function packFixture(name: string, edit: Edit = (manifest) => manifest): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stoa-pack-'))
  try {
    await cp(path.join(checkout, 'test', 'fixtures', 'plugins', name), folder, { recursive: true })
    const manifestFile = path.join(folder, 'manifest.json')
    const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Record<string, unknown>
    await writeFile(manifestFile, JSON.stringify(edit(manifest)))
    // Whoever is handed it opens it.
    return (await assemblePackage(folder)).zip
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Packs a plugin written in a test: its manifest and its one module. */
export async function packSources(
  manifest: object,
  module: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stoa-pack-'))
  try {
    const all = { 'manifest.json': JSON.stringify(manifest), 'dist/index.js': module, ...files }
    for (const [name, content] of Object.entries(all)) {
      const file = path.join(folder, name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, content)
    }
    return (await assemblePackage(folder)).zip
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
