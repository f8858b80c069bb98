import type { PluginManifest } from '../plugin-manifest.ts'
import { CAPABILITIES, type Capability } from '../vocabulary.ts'
import type { Rule } from './rule.ts'

interface Section {
  readonly field: string
  readonly isPresent: (manifest: PluginManifest) => boolean
  /** Granted without the section, the capability would do nothing. */
  readonly isNeeded: boolean
}

/** Which section belongs to which capability. */
const SECTIONS: Partial<Record<Capability, Section>> = {
  http: { field: 'http', isPresent: ({ http }) => (http?.hosts.length ?? 0) > 0, isNeeded: true },
  storage: { field: 'storage', isPresent: ({ storage }) => storage !== undefined, isNeeded: false },
  'db:own_tables': { field: 'db', isPresent: ({ db }) => db !== undefined, isNeeded: true },
  events: {
    field: 'events',
    isPresent: ({ events }) => (events?.publish?.length ?? 0) + (events?.subscribe?.length ?? 0) > 0,
    isNeeded: true,
  },
  schedule: { field: 'schedules', isPresent: ({ schedules }) => (schedules?.length ?? 0) > 0, isNeeded: true },
  config: { field: 'config', isPresent: ({ config }) => (config?.length ?? 0) > 0, isNeeded: true },
  ui: {
    field: 'slots',
    isPresent: ({ slots, menu }) => (slots?.length ?? 0) + (menu?.length ?? 0) > 0,
    isNeeded: true,
  },
  captcha: { field: 'provides.captcha', isPresent: ({ provides }) => Boolean(provides?.captcha), isNeeded: true },
  'ai:tool': {
    field: 'provides.aiTools',
    isPresent: ({ provides }) => (provides?.aiTools?.length ?? 0) > 0,
    isNeeded: true,
  },
  'ai:provider': {
    field: 'provides.aiProviders',
    isPresent: ({ provides }) => (provides?.aiProviders?.length ?? 0) > 0,
    isNeeded: true,
  },
  'storage:driver': {
    field: 'provides.storageDrivers',
    isPresent: ({ provides }) => (provides?.storageDrivers?.length ?? 0) > 0,
    isNeeded: true,
  },
}

/** Each capability is asked for once, with a reason, and has its section; no section stands without its capability. */
export const capabilities: Rule = {
  reads: [
    ...(['capabilities', 'optionalCapabilities', 'reasons', 'http', 'storage', 'db', 'events', 'schedules'] as const),
    ...(['config', 'slots', 'menu', 'provides'] as const),
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
    if (wanted.has('http:any') && !wanted.has('http'))
      report('capabilities', 'implied', 'http:any widens http: ask for http too.')
    for (const capability of CAPABILITIES) {
      const section = SECTIONS[capability]
      if (!section) continue
      const isPresent = section.isPresent(manifest)
      if (isPresent && !wanted.has(capability))
        report(section.field, 'capability', `This section needs the capability ${capability}.`)
      if (!isPresent && section.isNeeded && wanted.has(capability))
        report(section.field, 'required', `The capability ${capability} needs this section.`)
    }
  },
}
