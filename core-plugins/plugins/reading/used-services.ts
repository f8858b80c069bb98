import type { PluginManifest } from '#sandbox'
import type { Knex } from 'knex'
import semver from 'semver'

const capability = 'services:provide'

/** Whether a service that a plugin uses is there: the first thing that is missing. */
type UsedState = 'met' | 'not_installed' | 'not_running' | 'not_provided' | 'version' | 'not_available'

/** A service of another plugin that a plugin uses. */
export interface UsedService {
  /** `acme.crm/contacts`. */
  readonly service: string
  readonly range: string
  /** The one that is provided; null where none is. */
  readonly version: string | null
  readonly state: UsedState
}

interface Provider {
  readonly name: string
  readonly status: string
  readonly withheld: readonly string[]
  readonly manifest: Pick<PluginManifest, 'provides'>
}

/** How the services that a manifest names are met by what is installed; the platform's view, whichever tenant has it. */
export async function findUsedServices(
  db: Knex,
  { uses = {} }: Pick<PluginManifest, 'uses'>,
): Promise<readonly UsedService[]> {
  // The database keeps keys in an order of its own.
  const used = Object.entries(uses).sort(([one], [other]) => (one < other ? -1 : 1))
  if (used.length === 0) return []
  const providers = new Map(
    (
      await installed(db)
        .whereIn(
          'plugins.name',
          used.map(([service]) => providerOf(service)),
        )
        .select<Provider[]>('plugins.name', 'plugins.status', 'plugins.withheld', 'manifest')
    ).map((provider) => [provider.name, provider]),
  )
  return used.map(([service, range]) => judge(service, range, providers.get(providerOf(service))))
}

/**
 * The same for a tenant, which learns nothing of plugins that it was not given: what they provide is not available to it, whatever else is
 * the matter. `given` has the plugins of the tenant by name, with whether each runs for it and provides services.
 */
export async function findUsedByTenant(
  db: Knex,
  manifest: Pick<PluginManifest, 'uses'>,
  given: ReadonlyMap<string, { readonly isEnabled: boolean; readonly isDenied: boolean }>,
): Promise<readonly UsedService[]> {
  const all = await findUsedServices(db, manifest)
  return all.map((used) => {
    const own = given.get(providerOf(used.service))
    if (!own) return { ...used, version: null, state: 'not_available' }
    if (used.state !== 'met' || (own.isEnabled && !own.isDenied)) return used
    return { ...used, state: own.isDenied ? 'not_provided' : 'not_running' }
  })
}

/** The installed plugins that use services of one. */
interface ServiceUsers {
  readonly names: readonly string[]
  /** Those that another release would leave without a service which they have now; without one, the end of the plugin. */
  leftBy(from: Provider['manifest'], to?: Provider['manifest']): readonly string[]
  /** Those that do not have all of them, as the plugin is now. */
  lacking(provider: Provider): readonly string[]
}

/** Reads which installed plugins use services of one. */
export async function readServiceUsers(db: Knex, name: string): Promise<ServiceUsers> {
  const users = await readUsersOf(db, name)
  const isMet = (manifest: Provider['manifest'], service: string, range: string): boolean =>
    judge(service, range, { name, status: 'enabled', withheld: [], manifest }).state === 'met'
  const usersOf = (isConcerned: (service: string, range: string) => boolean): readonly string[] =>
    users
      .filter(({ manifest: { uses = {} } }) =>
        Object.entries(uses).some(([service, range]) => providerOf(service) === name && isConcerned(service, range)),
      )
      .map((user) => user.name)
  return {
    names: users.map((user) => user.name),
    leftBy: (from, to = {}) => usersOf((service, range) => isMet(from, service, range) && !isMet(to, service, range)),
    lacking: (provider) => usersOf((service, range) => judge(service, range, provider).state !== 'met'),
  }
}

function readUsersOf(
  db: Knex,
  name: string,
): Promise<readonly { readonly name: string; readonly manifest: Pick<PluginManifest, 'uses'> }[]> {
  const isUsing = `exists (select from jsonb_object_keys(manifest -> 'uses') as used where starts_with(used, ?))`
  return installed(db)
    .whereRaw(isUsing, [`${name}/`])
    .orderBy('plugins.name')
    .select<{ name: string; manifest: Pick<PluginManifest, 'uses'> }[]>('plugins.name', 'manifest')
}

function installed(db: Knex): Knex.QueryBuilder {
  return db('plugins')
    .join('plugin_releases', 'plugin_releases.id', 'plugins.active_release')
    .where({ removing: false })
}

function judge(service: string, range: string, provider: Provider | undefined): UsedService {
  const named = { service, range, version: null }
  if (!provider) return { ...named, state: 'not_installed' }
  const found = provider.manifest.provides?.services?.find(({ name }) => `${provider.name}/${name}` === service)
  if (!found || provider.withheld.includes(capability)) return { ...named, state: 'not_provided' }
  const { version } = found
  if (!semver.satisfies(version, range)) return { ...named, version, state: 'version' }
  return { ...named, version, state: provider.status === 'enabled' ? 'met' : 'not_running' }
}

function providerOf(service: string): string {
  return service.slice(0, service.indexOf('/'))
}
