import { deepEqual, equal } from 'node:assert/strict'
import { compileSchemaCheck } from '#kernel'
import { boundToolSchema, checkToolSchema } from '../../sandbox/manifest/rules/tool-schema.ts'
import { countCpuTime } from '../support/cpu-time.ts'

type Schema = Readonly<Record<string, unknown>>

const many = (times: number, part: (index: number) => unknown): unknown[] =>
  Array.from({ length: times }, (_, index) => part(index))
const argument = (member: Schema): Schema => ({ type: 'object', properties: { member } })
const list = (items: Schema): Schema => argument({ type: 'array', items })

function faultsOf(schema: Schema): readonly string[] {
  const faults: string[] = []
  checkToolSchema('input', schema, (field, rule) => faults.push(`${field} ${rule}`))
  return faults
}

describe('the schema of a tool', () => {
  it('may not hold a text to many patterns that take long together', () => {
    const slow = many(60, (index) => ({ pattern: `^a*a*${index}$` }))
    deepEqual(faultsOf(argument({ type: 'string', anyOf: slow })), ['input pattern'])
    deepEqual(faultsOf(list({ type: 'string', pattern: '^a*a*b$' })), ['input pattern'])
    deepEqual(faultsOf(list({ type: 'string', pattern: 'a+', maxLength: 4_000 })), ['input pattern'])
  })

  it('may not compare each item of a list with very much', () => {
    deepEqual(faultsOf(list({ enum: many(300, String) })), ['input size'])
    deepEqual(faultsOf(list({ anyOf: many(300, (index) => ({ const: index })) })), ['input size'])
    deepEqual(faultsOf(argument({ enum: many(1_001, String) })), ['input size'])
  })

  it('may say what authors usually say', () => {
    const usual: readonly Schema[] = [
      argument({ type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }),
      argument({ type: 'string', pattern: '[a-z]+@[a-z]+', maxLength: 100 }),
      argument({ enum: many(300, String) }),
      list({ type: 'string', pattern: '^[a-z0-9-]+$' }),
      list({ type: 'string', pattern: '[a-z]+', maxLength: 64 }),
      list({ enum: many(180, String) }),
    ]
    deepEqual(
      usual.map((schema) => faultsOf(schema)),
      usual.map(() => []),
    )
  })

  it('that is accepted is checked in no time, whatever the argument', () => {
    const dearest = argument({ type: 'string', pattern: '^a*a*b$' })
    deepEqual(faultsOf(dearest), [])
    const check = compileSchemaCheck(boundToolSchema(dearest), 'exact', 'at-once')
    const cpuTime = countCpuTime()
    equal(check.isValid({ member: 'a'.repeat(4_096) }), false)
    equal(check.isValid({ member: 'a'.repeat(60_000) }), false)
    equal(cpuTime() < 500, true)
  })
})
