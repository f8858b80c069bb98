import { capabilities as known, rowOf } from '../../capabilities/table.ts'
import type { Rule } from './rule.ts'

/** Each capability is asked for once, with a reason, and has its section; no section stands without its capability. */
export const capabilities: Rule = {
  reads: [
    ...(['capabilities', 'optionalCapabilities', 'reasons', 'http', 'storage', 'db', 'events', 'schedules'] as const),
    ...(['config', 'slots', 'menu', 'provides', 'jobs', 'mail', 'uses'] as const),
  ],
  check(manifest, report) {
    const { capabilities, optionalCapabilities = [], reasons = {} } = manifest
    const wanted = new Set<string>([...capabilities, ...optionalCapabilities])
    optionalCapabilities.forEach((capability, index) => {
      if (capabilities.includes(capability))
        report(`optionalCapabilities.${index}`, 'duplicate', 'This capability is already among the required ones.')
    })
    for (const capability of wanted) {
      if (!Object.hasOwn(reasons, capability))
        report(`reasons.${capability}`, 'required', 'Say in a sentence why the plugin needs this capability.')
    }
    for (const capability of Object.keys(reasons)) {
      if (!wanted.has(capability))
        report(`reasons.${capability}`, 'unknown', 'The manifest does not ask for this capability.')
    }
    for (const capability of known) {
      const { section, widens } = rowOf(capability)
      if (widens !== undefined && wanted.has(capability) && !wanted.has(widens))
        report('capabilities', 'implied', `${capability} widens ${widens}: ask for ${widens} too.`)
      if (!section) continue
      const isPresent = section.isPresent(manifest)
      if (isPresent && !wanted.has(capability))
        report(section.field, 'capability', `This section needs the capability ${capability}.`)
      if (!isPresent && section.isNeeded && wanted.has(capability))
        report(section.field, 'required', `The capability ${capability} needs this section.`)
    }
  },
}
