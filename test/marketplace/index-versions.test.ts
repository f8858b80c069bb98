import { deepEqual } from 'node:assert/strict'
import { resolveVersions, type PluginVersion, type Revocation } from '#marketplace'
import { created, pluginName, samplePlugin, sampleVersion } from './index-content.ts'

const revocation = (versions: string, action: Revocation['action'] = 'disable'): Revocation => ({
  plugin: pluginName,
  versions,
  severity: 'high',
  action,
  reason: 'leaks',
})
const yanked = { reason: 'broken', at: created }

/** What is chosen among versions, for host 1.4.0 unless said otherwise. */
async function choose(
  versions: readonly PluginVersion[],
  {
    installed,
    channel,
    revoked = [],
    keys = [],
  }: { installed?: string; channel?: string; revoked?: readonly Revocation[]; keys?: string[] } = {},
) {
  const revocations = { plugins: revoked, keys: keys.map((kid) => ({ kid })) }
  const resolved = await resolveVersions(samplePlugin({ versions }), {
    hostVersion: '1.4.0',
    sdkVersion: '1.0.0',
    revocations,
    ...(installed !== undefined && { installed }),
    ...(channel !== undefined && { channel }),
  })
  const { newest, newestCompatible, update, isSecurityUpdate, changes } = resolved
  return {
    newest: newest?.version.version,
    compatible: newestCompatible?.version.version,
    update: update?.version.version,
    isSecurityUpdate,
    changes: changes.map(({ version }) => version),
  }
}

describe('the versions of a plugin', () => {
  const old = sampleVersion('1.0.0')
  const usual = sampleVersion('1.2.0')
  const ahead = sampleVersion('2.0.0', { engines: { host: '>=2.0.0' } })
  const early = sampleVersion('3.0.0-beta.1')
  const none = { update: undefined, isSecurityUpdate: false, changes: [] }

  it('are chosen by number, not by the order in which they are written', async () => {
    deepEqual(await choose([usual, sampleVersion('1.10.0'), old]), { newest: '1.10.0', compatible: '1.10.0', ...none })
  })

  it('need a host and an SDK in their ranges', async () => {
    const sdk = sampleVersion('1.3.0', { engines: { host: '*', sdk: '^2.0.0' } })
    deepEqual(await choose([ahead, sdk, usual]), { newest: '2.0.0', compatible: '1.2.0', ...none })
  })

  it('are no prereleases, unless one is installed or there is nothing else', async () => {
    deepEqual((await choose([early, usual])).newest, '1.2.0')
    deepEqual((await choose([early])).newest, '3.0.0-beta.1')
    deepEqual((await choose([early, usual], { installed: '1.2.0' })).update, undefined)
    deepEqual((await choose([early, usual], { installed: '3.0.0-beta.0' })).update, '3.0.0-beta.1')
  })

  it('are prereleases of one channel, for who runs one of it or asks for it, and releases when these are newer', async () => {
    const all = [early, usual, sampleVersion('3.0.0-alpha.9'), sampleVersion('3.1.0-7')]
    deepEqual((await choose(all, { installed: '3.0.0-alpha.1' })).update, '3.0.0-alpha.9')
    deepEqual((await choose(all, { installed: '3.0.0-beta.1' })).update, undefined)
    deepEqual((await choose(all, { installed: '3.0.0-3' })).update, '3.1.0-7')
    deepEqual((await choose(all, { channel: 'beta' })).newest, '3.0.0-beta.1')
    deepEqual((await choose(all, { installed: '1.2.0', channel: 'next' })).update, '3.1.0-7')
    deepEqual((await choose(all, { channel: 'unheard-of' })).newest, '1.2.0')
    const released = [...all, sampleVersion('3.0.0')]
    deepEqual((await choose(released, { installed: '3.0.0-beta.1' })).update, '3.0.0')
  })

  it('are never those that were taken back or revoked, nor those of a revoked key', async () => {
    const back = sampleVersion('1.5.0', { yanked })
    const bad = sampleVersion('1.4.0')
    const stolen = sampleVersion('1.3.0', { kid: 'acme-1', sig: `${'A'.repeat(86)}==` })
    deepEqual(await choose([back, bad, stolen, usual], { revoked: [revocation('1.4.x', 'warn')], keys: ['acme-1'] }), {
      newest: '1.2.0',
      compatible: '1.2.0',
      ...none,
    })
  })

  it('are updated to the newest that runs here, with what changed in between', async () => {
    deepEqual(await choose([old, sampleVersion('1.1.0'), usual, ahead], { installed: '1.0.0' }), {
      newest: '2.0.0',
      compatible: '1.2.0',
      update: '1.2.0',
      isSecurityUpdate: false,
      changes: ['1.2.0', '1.1.0'],
    })
  })

  it('are not updated to older ones', async () => {
    deepEqual((await choose([old, usual], { installed: '1.9.0' })).update, undefined)
  })

  it('make an update urgent where the installed one was revoked', async () => {
    const { update, isSecurityUpdate } = await choose([old, usual], {
      installed: '1.0.0',
      revoked: [revocation('<1.2.0')],
    })
    deepEqual([update, isSecurityUpdate], ['1.2.0', true])
  })

  it('say what speaks against each of them', async () => {
    const plugin = samplePlugin({ versions: [ahead, sampleVersion('1.5.0', { yanked }), old] })
    const revocations = { plugins: [revocation('1.0.0', 'warn'), revocation('<=1.0.0')], keys: [] }
    const { versions } = await resolveVersions(plugin, { hostVersion: '1.4.0', revocations })
    deepEqual(
      versions.map((each) => [each.version.version, each.incompatible, each.isYanked, each.revocation?.action]),
      [
        ['2.0.0', [{ engine: 'host', range: '>=2.0.0' }], false, undefined],
        ['1.5.0', [], true, undefined],
        ['1.0.0', [], false, 'disable'],
      ],
    )
  })
})
