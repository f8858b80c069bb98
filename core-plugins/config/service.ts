import { pluginDisabled, pluginEnabled, type Manifest, type PluginHost, type Scope } from '#kernel'
import type { Audit } from '../access/contract.ts'
import { Catalogue } from './catalogue.ts'
import { CatalogueRecords } from './catalogue-records.ts'
import { configChanged, type ConfigReader, type ConfigWriter } from './contract.ts'
import { GroupViews } from './group-view.ts'
import { createReader } from './reader.ts'
import { StoredValues } from './stored-values.ts'
import { createWriter } from './writer.ts'

/** The parts of configuration that routes and other plugins use. */
export interface Configuration {
  readonly catalogue: Catalogue
  readonly reader: ConfigReader
  readonly writer: ConfigWriter
  readonly views: GroupViews
}

/** Builds configuration on the groups of every enabled plugin, and follows plugins that come and go. */
export async function createConfiguration(
  scope: Scope,
  host: PluginHost,
  audit: Audit,
  own: Pick<Manifest, 'name' | 'config'>,
): Promise<Configuration> {
  const catalogue = new Catalogue()
  const records = new CatalogueRecords(scope.db)
  const stored = new StoredValues(scope.db)
  const parts = { catalogue, records, stored, secrets: scope.secrets }
  const views = new GroupViews(parts)
  const declared = new Map<string, Disposable>()

  async function take({ name, config = [] }: Pick<Manifest, 'name' | 'config'>): Promise<void> {
    if (config.length === 0) return
    declared.get(name)?.[Symbol.dispose]()
    declared.set(name, catalogue.add(name, config))
    await records.store(name, config)
  }

  for (const manifest of [own, ...host.manifests]) await take(manifest)
  scope.on(pluginEnabled, async ({ name }) => {
    const manifest = host.manifests.find((candidate) => candidate.name === name)
    // This plugin's own groups stand already; its event comes once the setup has ended.
    if (manifest && name !== own.name) await take(manifest)
  })
  scope.on(pluginDisabled, ({ name }) => {
    declared.get(name)?.[Symbol.dispose]()
    declared.delete(name)
  })
  scope.on(configChanged, ({ tenantId }) => stored.forget(tenantId), 'every-host')
  return { catalogue, reader: createReader(parts), writer: createWriter(scope, parts, views, audit), views }
}
