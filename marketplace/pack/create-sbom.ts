import { createHash } from 'node:crypto'
import type { PluginManifest } from '#sandbox'
import type { ZipFile } from './zip-writer.ts'

/** The bill of materials in its smallest form (CycloneDX 1.6): the plugin, its licence, its files with their hashes; no times or ids, so that it is reproducible. */
export function createSbom({ name, version, publisher, license }: PluginManifest, files: readonly ZipFile[]): Buffer {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', name, version, publisher, licenses: [{ expression: license }] },
    },
    components: files.map(({ path, data }) => ({
      type: 'file',
      name: path,
      hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(data).digest('hex') }],
    })),
  }
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`)
}
