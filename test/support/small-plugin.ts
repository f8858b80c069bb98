import { packSources } from './packages.ts'
import { dataOf } from './platform.ts'
import type { Answer, Api, Body } from './api.ts'

/** A manifest with the least a plugin needs, and what the test adds. */
export function manifestOf(name: string, more: object = {}): Record<string, unknown> {
  return {
    manifestVersion: 1,
    name,
    version: '1.0.0',
    publisher: name.split('.')[0],
    title: { default: name },
    description: { default: 'A plugin of a test' },
    license: 'MIT',
    engines: { host: '>=1.0.0' },
    main: 'dist/index.js',
    scope: 'tenant',
    capabilities: [],
    ...more,
  }
}

/** Packs a plugin whose default export is this expression. */
export function packSmall(
  name: string,
  more: object = {},
  definition = '{ handlers: {} }',
  files: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  return packSources(manifestOf(name, more), `export default ${definition}\n`, files)
}

/** Sends a package to the platform. */
export function upload(admin: Api, content: Buffer, field = 'file'): Promise<Answer> {
  return admin.call('POST', '/admin/plugins/upload', { file: { field, name: 'a.plugin.zip', content } })
}

/** Installs a package, grants all it asks for and enables it. */
export async function installAndEnable(admin: Api, zip: Buffer): Promise<Body> {
  const installed = dataOf(await upload(admin, zip), 201)
  const path = `/admin/plugins/${installed['name'] as unknown as string}`
  const { consent } = installed
  if (consent) {
    const { release_hash, diff_hash } = consent
    dataOf(await admin.post(`${path}/consent`, { accept: true, release_hash, diff_hash }))
  }
  return dataOf(await admin.post(`${path}/enable`))
}
