import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AppError, Plugin } from '#kernel'
import { createSandbox, effectiveLimits, toPlugin } from '#sandbox'
import type { Capability, Grants, PluginManifest, PublishedEvent, Release, Sandbox, SandboxServices } from '#sandbox'
import { createGuardedFetch } from '../../sandbox/broker/guarded-fetch.ts'
import type { SandboxOptions } from '../../sandbox/services.ts'
import { createFakes } from '../../sandbox/broker/providers.ts'
import { MemoryRateLimiter } from '../../kernel/data/memory-rate-limiter.ts'
import { silentLog } from '../support/kernel.ts'

/** A sandbox whose surroundings a test can look at and change. */
export interface PluginWorld extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly published: PublishedEvent[]
  /** `plugin tenant` → why the gate is closed. */
  readonly closed: Map<string, AppError>
  readonly quarantined: string[]
  /** Writes a release of source texts. */
  release(manifest: Partial<PluginManifest>, source: string, files?: Readonly<Record<string, string>>): Promise<Release>
}

/** Starts a sandbox with services of a test's own. */
export async function startPluginWorld(
  limits: Partial<Grants['limits']> = {},
  given: Partial<SandboxServices> = {},
  options: Partial<SandboxOptions> = {},
): Promise<PluginWorld> {
  const releases = await mkdtemp(path.join(tmpdir(), 'releases-'))
  await chmod(releases, 0o755)
  const published: PublishedEvent[] = []
  const closed = new Map<string, AppError>()
  const quarantined: string[] = []
  const database = { urlFor: () => 'postgres://nobody@localhost/none' }
  const client = createGuardedFetch({ egressAllowPrivate: new Set(), dnsServers: [] })
  const services: SandboxServices = {
    ...createFakes({ manifest: { name: 'acme.test' }, given: {}, database, password: '' }).services,
    gate: (name, tenantId) => {
      const error = closed.get(`${name} ${tenantId}`)
      return error ? { open: false, error } : { open: true }
    },
    storage: () => {
      throw new Error('no storage in this test')
    },
    config: () => Promise.resolve({ greeting: 'Hi', api_key: 'sk-very-secret' }),
    publish: (event) => Promise.resolve(void published.push(event)),
    limiter: new MemoryRateLimiter(),
    log: silentLog,
    limits: () => limits,
    license: () => ({ state: 'none', features: [], expiresAt: null }),
    onQuarantine: (plugin) => void quarantined.push(plugin),
    client,
    ...given,
  }
  const sandbox = await createSandbox(services, { releases, lanes: 1, ...options })
  return {
    ...{ sandbox, published, closed, quarantined },
    release: (manifest, source, files = {}) => writeRelease(releases, manifest, { 'dist/index.js': source, ...files }),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await client[Symbol.asyncDispose]()
      await rm(releases, { recursive: true, force: true })
    },
  }
}

/** The plugin of a release with everything its manifest asks for granted, but what a tenant refused. */
export function pluginOf(sandbox: Sandbox, release: Release, denied: ReadonlySet<Capability> = new Set()): Plugin {
  return toPlugin(release, grantsFor(release, denied), sandbox)
}

/** Grants of everything that a manifest asks for. */
export function grantsFor({ manifest }: Release, denied: ReadonlySet<Capability> = new Set()): Grants {
  return {
    capabilities: new Set([...manifest.capabilities, ...(manifest.optionalCapabilities ?? [])]),
    hosts: manifest.http?.hosts ?? [],
    publish: manifest.events?.publish ?? [],
    subscribe: manifest.events?.subscribe ?? [],
    tables: manifest.db?.tables ?? [],
    uses: manifest.uses ?? {},
    limits: effectiveLimits(manifest.limits ?? {}),
    deniedFor: () => denied,
  }
}

async function writeRelease(
  releases: string,
  given: Partial<PluginManifest>,
  texts: Readonly<Record<string, string>>,
): Promise<Release> {
  const manifest: PluginManifest = {
    ...{ manifestVersion: 1, name: 'acme.notes', version: '1.0.0', publisher: 'acme', license: 'MIT' },
    ...{ title: { default: 'Notes' }, description: { default: 'Keeps notes' }, engines: { host: '^1.0.0' } },
    ...{ main: 'dist/index.js', scope: 'tenant', capabilities: [] },
    ...given,
  }
  const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
  const treeHash = sha(JSON.stringify([manifest, texts]))
  const directory = path.join(releases, `${manifest.name}-${treeHash.slice(0, 12)}`)
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true })
    await writeFile(path.join(directory, name), text)
  }
  const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, sha(text)]))
  const { name, version } = manifest
  return { name, version, treeHash, directory, files, manifest, trust: 'local' }
}
