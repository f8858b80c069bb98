import type { Report } from '../fault.ts'
import type { AiTool } from '../plugin-provided.ts'
import { checkConfigItems } from './config.ts'
import { reportDuplicates, type Rule } from './rule.ts'
import { schemaSizeFault } from './schema-sizes.ts'
import { checkToolSchema } from './tool-schema.ts'

/** What the storage keeps sealed goes by the name alone, so that it holds while the plugin is away. */
const secretName = /(^|_)(secret|password|passphrase|token|credentials?|key)$/

/** What it adds to the platform: each under a name of its own, with settings that can be filled in. */
export const provides: Rule = {
  reads: ['provides', 'preferences'],
  check({ provides = {}, preferences = [] }, report) {
    const { aiTools = [], aiProviders = [], aiGuardrails = [], aiRouters = [], storageDrivers = [] } = provides
    reportDuplicates(
      aiTools,
      ({ name }) => name,
      (index) => report(`provides.aiTools.${index}.name`, 'unique', 'This name is used twice.'),
    )
    for (const [section, entries] of Object.entries({ aiProviders, aiGuardrails, aiRouters })) {
      reportDuplicates<{ readonly code: string }>(
        entries,
        ({ code }) => code,
        (index) => report(`provides.${section}.${index}.code`, 'unique', 'This code is used twice.'),
      )
    }
    reportDuplicates(
      storageDrivers,
      ({ name }) => name,
      (index) => report(`provides.storageDrivers.${index}.name`, 'unique', 'This name is used twice.'),
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
    storageDrivers.forEach(({ config = [] }, index) => {
      const field = `provides.storageDrivers.${index}.config`
      checkConfigItems(field, config, report)
      config.forEach(({ key, type }, at) => {
        if (secretName.test(key) !== (type === 'PASSWORD'))
          report(
            `${field}.${at}.key`,
            'secret_name',
            'A PASSWORD, and nothing else, ends with secret, password or key.',
          )
      })
    })
    const tooLarge = schemaSizeFault({ provides, preferences })
    if (tooLarge) report('provides.aiTools', 'size', tooLarge)
    else aiTools.forEach((tool, index) => checkSchemas(`provides.aiTools.${index}`, tool, report))
  },
}

function checkSchemas(field: string, { input, output }: AiTool, report: Report): void {
  if (input['type'] !== 'object') report(`${field}.input.type`, 'object', 'The argument of a tool is an object.')
  checkToolSchema(`${field}.input`, input, report)
  if (output) checkToolSchema(`${field}.output`, output, report)
}
