import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ForgedEntry } from './zip-builder.ts'

/** The smallest manifest that is valid, with what a test wants otherwise. */
export function sampleManifest(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    manifestVersion: 1,
    name: 'acme.sample',
    version: '1.0.0',
    publisher: 'acme',
    title: { default: 'Sample' },
    description: { default: 'A sample.' },
    license: 'MIT',
    engines: { host: '^1.0.0' },
    main: 'dist/index.js',
    scope: 'tenant',
    capabilities: [],
    ...changes,
  }
}

/** The entries of the smallest package. */
export function sampleEntries(changes: Readonly<Record<string, unknown>> = {}): ForgedEntry[] {
  return [
    { path: 'dist/index.js', data: 'export default { handlers: {} }' },
    { path: 'manifest.json', data: JSON.stringify(sampleManifest(changes)) },
  ]
}

/** A folder of a test's own, gone with it. */
export async function makeScratch(): Promise<
  { path: string; write: (name: string, data: Buffer | string) => Promise<string> } & AsyncDisposable
> {
  const path = await mkdtemp(join(tmpdir(), 'stoa-test-'))
  return {
    path,
    async write(name, data) {
      await writeFile(join(path, name), data)
      return join(path, name)
    },
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true })
    },
  }
}
