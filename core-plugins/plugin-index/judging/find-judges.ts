import type { PluginDirectory } from '../../plugins/contract.ts'
import type { PublisherKeys } from '../publishers/publisher-keys.ts'
import { publisherOf } from '../publishers/publisher-of.ts'
import type { SourceSet } from '../sources/source-set.ts'
import { isBonded, type Ties } from './bonds.ts'

/** What says who is tied to a plugin. */
interface BondedJudgeParts {
  readonly directory: Pick<PluginDirectory, 'list'>
  readonly sources: Pick<SourceSet, 'find'>
  readonly keys: Pick<PublisherKeys, 'recognise'>
}

/**
 * Which sources may take the licences of a plugin back: those with a bond to the plugin, or to the key `kid` that signed the
 * licence. Any signed index may list any `jti`, and a `jti` is no secret.
 */
export async function findJudges(
  { directory, sources, keys }: BondedJudgeParts,
  name: string,
  kid: string,
): Promise<(source: string) => boolean> {
  const [plugin] = await directory.list([name])
  if (!plugin) return () => false
  const { source, release } = plugin
  const origins = [source, release.source]
  const kids = release.kid === null ? [kid] : [kid, release.kid]
  const known = await Promise.all(kids.map((each) => keys.recognise(publisherOf(name), each)))
  return (from) => known.some((key) => isHeard(sources, from, { name, origins, key }))
}

/** What one said that is away or gone is heard where the plugin, or the key, came from it. */
function isHeard(sources: Pick<SourceSet, 'find'>, source: string, ties: Ties): boolean {
  const open = sources.find(source)
  return open ? isBonded(open, ties) : ties.origins.includes(source) || ties.key?.source === source
}
