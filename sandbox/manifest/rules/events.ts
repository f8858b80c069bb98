import { reportDuplicates, type Rule } from './rule.ts'

const SEGMENT = '[a-z][a-z0-9_]*'
const OWN_REST = new RegExp(`^${SEGMENT}(\\.${SEGMENT})*$`)
const KERNEL_EVENT = new RegExp(`^kernel(\\.${SEGMENT})+$`)
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
      const isKernel = type === 'kernel' || type.startsWith('kernel.')
      if (isKernel ? !KERNEL_EVENT.test(type) : !PLUGIN_EVENTS.test(type) || type.split('.').length < 3)
        report(
          `events.subscribe.${index}`,
          'event',
          'Name a kernel event in full, or a plugin and its event; only the last part of a plugin event may be *.',
        )
    })
    for (const [list, types] of Object.entries({ publish, subscribe })) {
      reportDuplicates(types, String, (index) =>
        report(`events.${list}.${index}`, 'unique', 'This event stands twice.'),
      )
    }
  },
}
