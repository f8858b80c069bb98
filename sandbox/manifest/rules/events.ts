import { KERNEL_EVENTS } from '../vocabulary.ts'
import { reportDuplicates, type Rule } from './rule.ts'

const SEGMENT = '[a-z][a-z0-9_]*'
const OWN_REST = new RegExp(`^${SEGMENT}(\\.${SEGMENT})*$`)
const KERNEL: ReadonlySet<string> = new Set(KERNEL_EVENTS)
const PLUGIN_EVENTS = new RegExp(`^[a-z][a-z0-9-]*\\.[a-z][a-z0-9-]*(\\.${SEGMENT})*(\\.\\*)?$`)

/** What it says and hears: it speaks under its own name only, and hears what it names. */
export const events: Rule = {
  reads: ['name', 'events'],
  check({ name, events }, report) {
    const { publish = [], subscribe = [] } = events ?? {}
    publish.forEach((type, index) => {
      if (!type.startsWith(`${name}.`) || !OWN_REST.test(type.slice(name.length + 1)))
        report(`events.publish.${index}`, 'namespace', `Begin with ${name}. and name the event without wildcards.`)
    })
    subscribe.forEach((type, index) => {
      const fault = subscriptionFault(type)
      if (fault) report(`events.subscribe.${index}`, 'event', fault)
    })
    for (const [list, types] of Object.entries({ publish, subscribe })) {
      reportDuplicates(types, String, (index) =>
        report(`events.${list}.${index}`, 'unique', 'This event is used twice.'),
      )
    }
  },
}

function subscriptionFault(type: string): string | undefined {
  if (type === 'kernel' || type.startsWith('kernel.')) {
    return KERNEL.has(type)
      ? undefined
      : `There is no such event. Those of the platform are ${KERNEL_EVENTS.join(', ')}.`
  }
  if (PLUGIN_EVENTS.test(type) && type.split('.').length >= 3) return undefined
  return 'Name a plugin and its event in full; only the last part may be *.'
}
