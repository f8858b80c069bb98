import { compileSchemaCheck } from '#kernel'
import type { Report } from '../fault.ts'
import type { PreferenceItem } from '../preference-item.ts'
import { reportDuplicates, type Rule } from './rule.ts'
import { schemaSizeFault } from './schema-sizes.ts'
import { checkPlainSchema } from './tool-schema.ts'

/** Bytes of JSON that a stored preference has at most. */
const mostBytes = 4_096

/** What users may choose: each under a key of its own, with a default that fits its schema. */
export const preferences: Rule = {
  reads: ['preferences', 'provides'],
  check({ preferences: items = [], provides = {} }, report) {
    const tooLarge = schemaSizeFault({ preferences: items, provides })
    if (tooLarge) return report('preferences', 'size', tooLarge)
    items.forEach((item, index) => checkItem(`preferences.${index}`, item, report))
    reportDuplicates(
      items,
      ({ key }) => key,
      (index) => report(`preferences.${index}.key`, 'unique', 'This key is declared twice.'),
    )
  },
}

function checkItem(field: string, { schema, default: value }: PreferenceItem, report: Report): void {
  if (!checkPlainSchema(`${field}.schema`, schema, report)) return
  const text = JSON.stringify(value)
  // The check fills in defaults of its own.
  const isValid = compileSchemaCheck(schema, 'exact', 'at-once').isValid(JSON.parse(text))
  if (!isValid || Buffer.byteLength(text) > mostBytes)
    report(`${field}.default`, 'default', `The default does not fit the schema, or has more than ${mostBytes} bytes.`)
}
