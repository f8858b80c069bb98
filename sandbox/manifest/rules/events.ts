import { kernelEvents } from '../vocabulary.ts'
import { reportDuplicates, type Rule } from './rule.ts'

const segment = '[a-z][a-z0-9_]*'
const ownRest = new RegExp(`^${segment}(\\.${segment})*$`)
const kernel: ReadonlySet<string> = new Set(kernelEvents)
const pluginEvents = new RegExp(`^[a-z][a-z0-9-]*\\.[a-z][a-z0-9-]*(\\.${segment})*(\\.\\*)?$`)

/** What it says and hears: it speaks under its own name only, and hears what it names. */
export const events: Rule = {
  reads: ['name', 'events'],
  check({ name, events }, report) {
    const { publish = [], subscribe = [] } = events ?? {}
    publish.forEach((type, index) => {
      if (!type.startsWith(`${name}.`) || !ownRest.test(type.slice(name.length + 1)))
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
    return kernel.has(type)
      ? undefined
      : `There is no such event. Those of the platform are ${kernelEvents.join(', ')}.`
  }
  if (pluginEvents.test(type) && type.split('.').length >= 3) return undefined
  return 'Name a plugin and its event in full; only the last part may be *.'
}
