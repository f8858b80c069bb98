import { checkConfigItems } from './config.ts'
import { reportDuplicates, type Rule } from './rule.ts'

/** What it adds to the platform: each under a name of its own, with settings that can be filled in. */
export const provides: Rule = {
  reads: ['provides'],
  check({ provides = {} }, report) {
    const { aiTools = [], aiProviders = [], storageDrivers = [] } = provides
    reportDuplicates(
      aiTools,
      ({ name }) => name,
      (index) => report(`provides.aiTools.${index}.name`, 'unique', 'This name stands twice.'),
    )
    reportDuplicates(
      aiProviders,
      ({ code }) => code,
      (index) => report(`provides.aiProviders.${index}.code`, 'unique', 'This code stands twice.'),
    )
    reportDuplicates(
      storageDrivers,
      ({ name }) => name,
      (index) => report(`provides.storageDrivers.${index}.name`, 'unique', 'This name stands twice.'),
    )
    aiProviders.forEach(({ config = [], secrets = [] }, index) => {
      checkConfigItems(`provides.aiProviders.${index}.config`, config, report)
      secrets.forEach((secret, at) => {
        if (!config.some(({ key, type }) => key === secret && type === 'PASSWORD'))
          report(
            `provides.aiProviders.${index}.secrets.${at}`,
            'declared',
            'Declare a PASSWORD with this key in config.',
          )
      })
    })
    storageDrivers.forEach(({ config = [] }, index) =>
      checkConfigItems(`provides.storageDrivers.${index}.config`, config, report),
    )
    aiTools.forEach(({ input }, index) => {
      if (input['type'] !== 'object')
        report(`provides.aiTools.${index}.input.type`, 'object', 'The argument of a tool is an object.')
    })
  },
}
