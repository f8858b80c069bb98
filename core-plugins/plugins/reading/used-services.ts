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
export async function listUsersOf(db: Knex, name: string): Promise<readonly string[]> {
  return (await readUsersOf(db, name)).map((user) => user.name)
}

/** Those of them that another release would leave without a service which they have now. */
export async function listLeftBy(
  db: Knex,
  name: string,
  { from, to }: { readonly from: Provider['manifest']; readonly to: Provider['manifest'] },
): Promise<readonly string[]> {
  const isMet = (manifest: Provider['manifest'], service: string, range: string): boolean =>
    judge(service, range, { name, status: 'enabled', withheld: [], manifest }).state === 'met'
  const isLeft = ([service, range]: [string, string]): boolean =>
    providerOf(service) === name && isMet(from, service, range) && !isMet(to, service, range)
  const users = await readUsersOf(db, name)
  return users.filter(({ manifest }) => Object.entries(manifest.uses ?? {}).some(isLeft)).map((user) => user.name)
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
