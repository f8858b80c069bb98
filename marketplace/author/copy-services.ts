import type { PluginManifest } from '#sandbox'
import { satisfies } from 'semver'
import { writeCopy } from './copied-services.ts'

/** What was copied, or why nothing was. */
type Copied =
  | { readonly file: string; readonly services: readonly { readonly service: string; readonly version: string }[] }
  | { readonly refused: string }

/** Whether a plugin provides a service that another uses, in a version that it takes. */
export function fitsUses(uses: Readonly<Record<string, string>>, provider: PluginManifest): boolean {
  return providedOf(provider).some(({ id, version }) => isTaken(uses, id, version))
}

/** Keeps a copy of the services that a plugin's manifest uses of another plugin. */
export async function copyServices(
  directory: string,
  { uses = {} }: Pick<PluginManifest, 'uses'>,
  provider: PluginManifest,
): Promise<Copied> {
  const provided = providedOf(provider)
  const title = `${provider.name} ${provider.version}`
  if (provided.length === 0) return { refused: `${title} provides no service.` }
  const wanted = provided.filter(({ id }) => Object.hasOwn(uses, id))
  if (wanted.length === 0) {
    const mend = provided.map(({ id, version }) => `"${id}": "^${version}"`).join(', ')
    return { refused: `The manifest uses none of what ${title} provides: put { ${mend} } into its uses.` }
  }
  const unfit = wanted.find(({ id, version }) => !isTaken(uses, id, version))
  if (unfit)
    return { refused: `${title} provides ${unfit.id} ${unfit.version}, which ${uses[unfit.id]} does not take.` }
  const file = await writeCopy(
    directory,
    provider,
    wanted.map(({ service }) => service),
  )
  return { file, services: wanted.map(({ id, version }) => ({ service: id, version })) }
}

function providedOf({ name, provides: { services = [] } = {} }: PluginManifest) {
  return services.map((service) => ({ id: `${name}/${service.name}`, version: service.version, service }))
}

function isTaken(uses: Readonly<Record<string, string>>, id: string, version: string): boolean {
  const range = Object.hasOwn(uses, id) ? uses[id] : undefined
  return range !== undefined && satisfies(version, range)
}
