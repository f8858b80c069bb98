import type { TrustStore } from '#marketplace'
import type { PackageIntake } from '../contract-packages.ts'
import { PluginIncompatibleError } from '../shared/errors.ts'
import type { PackagePolicy } from './package-policy.ts'
import type { Staging } from './staging.ts'

/** What packages from elsewhere meet on their way in. */
export function createIntake({
  staging,
  policy,
  siteTrust,
}: {
  readonly staging: Staging
  readonly policy: PackagePolicy
  readonly siteTrust: TrustStore
}): PackageIntake {
  return {
    siteTrust,
    async stage() {
      const folder = await staging.make()
      return { folder, [Symbol.asyncDispose]: () => staging.remove(folder) }
    },
    requireName: (name, source) => policy.requireName(name, source),
    requireOffer: (manifest, trust, source) => policy.requireOffer(manifest, trust, source),
    unfit: (why) => new PluginIncompatibleError(why),
  }
}
