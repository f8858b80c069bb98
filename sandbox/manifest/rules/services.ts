import { checkRange } from './identity.ts'
import { reportDuplicates, type Rule } from './rule.ts'
import { checkToolSchema } from './tool-schema.ts'

/** What it does for other plugins, and what they do for it: held to schemas that cost next to nothing. */
export const services: Rule = {
  reads: ['name', 'provides', 'uses'],
  check({ name, provides: { services = [] } = {}, uses = {} }, report) {
    reportDuplicates(
      services,
      (service) => service.name,
      (index) => report(`provides.services.${index}.name`, 'unique', 'This name is used twice.'),
    )
    services.forEach(({ methods }, index) => {
      const field = `provides.services.${index}.methods`
      reportDuplicates(
        methods,
        (method) => method.name,
        (at) => report(`${field}.${at}.name`, 'unique', 'This name is used twice.'),
      )
      methods.forEach(({ input, output }, at) => {
        checkToolSchema(`${field}.${at}.input`, input, report)
        if (output) checkToolSchema(`${field}.${at}.output`, output, report)
      })
    })
    for (const [service, range] of Object.entries(uses)) {
      checkRange(`uses.${service}`, range, report)
      if (service.startsWith(`${name}/`)) report(`uses.${service}`, 'own', 'A plugin calls its own functions itself.')
    }
  },
}
