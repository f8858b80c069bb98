import { consentItems } from '#sandbox'
import { riskOf } from '../consent/risk.ts'
import { presentGrant } from '../reading/present.ts'
import { presentConsent } from '../reading/present-consent.ts'
import type { PluginFacts } from '../reading/plugin-facts.ts'
import { noCapability } from '../running/grants.ts'

/** What a plugin asks for, what it was granted, and what it may do after what was taken back and refused. */
export function presentCapabilities({ plugin, release, grants, tenants, consent }: PluginFacts) {
  const isGranted = new Set(grants.map(({ capability }) => capability))
  const isWithheld = new Set(plugin.withheld)
  const asked = consentItems(release.manifest)
    .filter(({ capability }) => !noCapability.has(capability))
    .map(({ capability, optional, reason, detail }) => ({
      capability,
      risk: riskOf({ capability }, release.manifest),
      optional,
      reason: reason ?? null,
      detail: detail ?? null,
      granted: isGranted.has(capability),
      withheld: isWithheld.has(capability),
      denied_by: tenants.flatMap(({ tenantId, capabilitiesDenied }) =>
        capabilitiesDenied.includes(capability) ? tenantId : [],
      ),
    }))
  return {
    requested: asked.map(({ capability }) => capability),
    asked,
    granted: grants.map(presentGrant),
    effective: asked.flatMap(({ capability, granted, withheld }) => (granted && !withheld ? capability : [])),
    withheld: plugin.withheld,
    ...(consent && { consent: presentConsent(consent) }),
  }
}
