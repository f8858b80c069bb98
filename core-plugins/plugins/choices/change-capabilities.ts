import { ValidationFailedError, type Principal } from '#kernel'
import type { PluginManifest } from '#sandbox'
import { PluginStatusError } from '../shared/errors.ts'
import { changeChoice } from './choose.ts'
import type { PluginRow } from '../shared/models.ts'
import type { ChoiceNeeds } from './needs.ts'
import { getRelease } from '../releases/release-archive.ts'

/**
 * Makes these the capabilities that a plugin has, of those that its manifest asks for: what is not listed is taken back,
 * also from later releases, until it is given again. Throws 422/4220 for what the manifest does not ask for.
 */
export async function changeCapabilities(
  parts: ChoiceNeeds,
  plugin: PluginRow,
  granted: readonly string[],
  actor: Principal,
): Promise<void> {
  await changeChoice(parts, plugin, actor, {
    kind: 'capabilities',
    action: 'plugin.capabilities_changed',
    reload: true,
    async choose({ status, activeRelease, withheld }, trx) {
      // Nothing was granted yet: what is asked for is answered with a consent.
      if (status === 'awaiting_consent') throw new PluginStatusError({ status })
      const asked = askedBy((await getRelease(trx, activeRelease)).manifest)
      requireAsked(granted, asked)
      const elsewhere = withheld.filter((capability) => !asked.includes(capability))
      const next = [...elsewhere, ...asked.filter((capability) => !granted.includes(capability))].sort()
      return next.join() === [...withheld].sort().join() ? undefined : { withheld: next }
    },
  })
}

/** Every capability that a manifest asks for, optional ones too. */
function askedBy({ capabilities, optionalCapabilities = [] }: PluginManifest): readonly string[] {
  return [...capabilities, ...optionalCapabilities]
}

function requireAsked(granted: readonly string[], asked: readonly string[]): void {
  const errors = granted.flatMap((capability, index) => {
    if (asked.includes(capability)) return []
    const params = { capability, allowed: asked }
    return { field: `granted.${index}`, rule: 'enum', message: 'The plugin does not ask for it', params }
  })
  if (errors.length > 0) throw new ValidationFailedError({ errors })
}
