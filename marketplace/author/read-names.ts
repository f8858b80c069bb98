import { glob, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readCopies, type CopiedServices } from './copied-services.ts'
import { describeTables, type ColumnShape, type ConfigItem, type PluginManifest } from '#sandbox'

/** What a plugin names, and its sources may use. */
export interface PluginNames {
  /** The columns of each table, as the migrations leave them. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, ColumnShape>>
  readonly config: readonly ConfigItem[]
  /** Keys of texts; undefined where the plugin has no texts at all. */
  readonly texts: readonly string[] | undefined
  readonly publishes: readonly string[]
  readonly subscribes: readonly string[]
  readonly permissions: readonly string[]
  /** Services of other plugins, and the versions that fit. */
  readonly uses: Readonly<Record<string, string>>
  /** What the other plugins provide, where the folder has a copy of it. */
  readonly copies: readonly CopiedServices[]
  /** Parameters in the paths of all routes. */
  readonly parameters: readonly string[]
  readonly jobs: readonly string[]
  /** The values of each template of an e-mail. */
  readonly templates: ReadonlyMap<string, readonly string[]>
  readonly capabilities: readonly string[]
  readonly slots: readonly string[]
}

/** Reads what a plugin names from its manifest, its migrations, its texts and its copies of others' services; throws a refusal for migrations that are none. */
export async function readNames(directory: string, manifest: PluginManifest): Promise<PluginNames> {
  const { config = [], events = {}, permissions = [], jobs = [], mail, uses = {}, optionalCapabilities = [] } = manifest
  const { slots = [] } = manifest
  const { tenant_routes = [], admin_routes = [], public_routes = [] } = manifest
  const paths = [...tenant_routes, ...admin_routes, ...public_routes].map(({ path }) => path)
  return {
    tables: await readTables(directory, manifest.name),
    config,
    texts: await readTextKeys(directory),
    publishes: events.publish ?? [],
    subscribes: events.subscribe ?? [],
    permissions: permissions.map(({ code }) => code),
    uses,
    copies: (await readCopies(directory)).copies,
    parameters: [...new Set(paths.flatMap((path) => path.match(/(?<=:)\w+/g) ?? []))].sort(),
    jobs: jobs.map(({ name }) => name),
    templates: new Map(mail?.templates.map(({ name, values = [] }) => [name, values])),
    slots: slots.map(({ id }) => id),
    capabilities: [...manifest.capabilities, ...optionalCapabilities],
  }
}

async function readTables(directory: string, plugin: string): Promise<PluginNames['tables']> {
  const paths = (await Array.fromAsync(glob('migrations/*.sql', { cwd: directory }))).sort()
  const files = paths.map(async (path) => {
    const { size } = await stat(join(directory, path))
    return { path, size, read: () => readFile(join(directory, path)) }
  })
  return describeTables(plugin, await Promise.all(files))
}

async function readTextKeys(directory: string): Promise<readonly string[] | undefined> {
  const paths = (await Array.fromAsync(glob('locales/*.json', { cwd: directory }))).sort()
  if (paths.length === 0) return undefined
  const texts = await Promise.all(paths.map(async (path) => parseTexts(await readFile(join(directory, path), 'utf8'))))
  return [...new Set(texts.flatMap((one) => Object.keys(one)))].sort()
}

/** A file that is no JSON is told of where packages are opened. */
function parseTexts(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
