import { fillTemplate, pickText, type Localised } from '#kernel'
import { pluginHash8, type Sandbox, type StorageDriver as Declared } from '#sandbox'
import type { StorageDriver, StorageDrivers } from '../../storage/contract.ts'
import { StorageOfferError } from '../errors.ts'
import type { LoadedPlugin } from '../../plugins/contract.ts'
import type { Contributor } from '../../plugins/contract.ts'
import type { Offers } from '../offers.ts'
import { texts } from '../texts/texts.ts'
import { createPluginVolume } from './plugin-volume.ts'
import { exampleOf, secretsOf, toSchema } from './settings-schema.ts'

/** What the storage drivers of plugins stand on. */
interface DriverContributorParts {
  readonly drivers: StorageDrivers
  readonly offers: Offers
  readonly sandbox: Pick<Sandbox, 'answer'>
}

/** Makes plugins' storage drivers known; they serve the platform's settings and profiles, never a tenant's own. */
export function createDriverContributor(parts: DriverContributorParts): Contributor {
  return (scope, plugin) => {
    if (!parts.offers.isGranted(plugin, 'storage:driver')) return
    for (const declared of plugin.release.manifest.provides?.storageDrivers ?? [])
      scope.register(() => parts.drivers.register(createDriver(plugin, declared, parts)))
  }
}

function createDriver(plugin: LoadedPlugin, declared: Declared, { sandbox }: DriverContributorParts): StorageDriver {
  const { name: pluginName, manifest } = plugin.release
  const { title, handlers, config: items = [] } = declared
  // Under a name that no other plugin can have: rows remember it.
  const name = `plg_${pluginHash8(pluginName)}_${declared.name.replaceAll('-', '_')}`
  const secrets = secretsOf(items)
  return {
    name,
    label: title,
    description: descriptionOf(manifest.title),
    plugin: pluginName,
    capabilities: { presign: false, range: true, multipart: false, imageProcess: false },
    schema: toSchema(items),
    tenantSchema: { ...toSchema([]), not: {} },
    example: exampleOf(items),
    placeOf: (config) =>
      JSON.stringify(
        Object.entries(config)
          .filter(([key]) => !secrets.has(key))
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    open(config, owner) {
      if (owner === 'tenant') throw new StorageOfferError({ driver: name })
      return createPluginVolume({ name, plugin, sandbox, handlers, config })
    },
  }
}

/** In each language, with the title that the plugin has in it. */
function descriptionOf(title: Localised): Localised {
  const told = Object.entries(texts.of('storage.driver')).map(([locale, template]) => {
    return [locale, fillTemplate(template, { plugin: pickText(title, locale) })] as const
  })
  return Object.fromEntries(told) as Localised
}
