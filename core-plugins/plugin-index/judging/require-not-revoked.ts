import type { PluginDirectory, ReleaseFacts } from '../../plugins/contract.ts'
import { ReleaseRevokedError } from '../errors.ts'
import type { PublisherKeys } from '../publishers/publisher-keys.ts'
import { publisherOf } from '../publishers/publisher-of.ts'
import type { SourceSet } from '../sources/source-set.ts'
import { judgeRelease } from './judge-installed.ts'

/** Throws 400/4009 for a release that a source revoked which is heard about the plugin; a warning is no obstacle. */
export async function requireNotRevoked(
  {
    directory,
    sources,
    keys,
  }: {
    readonly directory: Pick<PluginDirectory, 'list'>
    readonly sources: SourceSet
    readonly keys: PublisherKeys
  },
  { name, version, kid, source }: ReleaseFacts,
): Promise<void> {
  const [plugin] = await directory.list([name])
  const key = kid === null ? undefined : await keys.recognise(publisherOf(name), kid)
  const origins = [source, plugin?.source ?? null]
  const verdict = judgeRelease(sources.all, { name, version, kid, origins, key })
  if (!verdict || verdict.action === 'warn') return
  const { action, severity, reason: why, cve } = verdict
  throw new ReleaseRevokedError({ name, version, why }, { details: { action, severity, cve } })
}
