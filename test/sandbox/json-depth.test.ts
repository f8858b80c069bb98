import { equal } from 'node:assert/strict'
import { isTooDeep } from '../../sandbox/json-depth.ts'

describe('the depth of a JSON text', () => {
  it('is at most a hundred levels, of lists and objects alike', () => {
    equal(isTooDeep('['.repeat(100) + ']'.repeat(100)), false)
    equal(isTooDeep('['.repeat(101) + ']'.repeat(101)), true)
    equal(isTooDeep('{"a":['.repeat(51) + ']}'.repeat(51)), true)
  })

  it('counts no bracket in a text, however it is escaped', () => {
    equal(isTooDeep(JSON.stringify(['['.repeat(200), '"['.repeat(200), '\\"{'.repeat(200)])), false)
    equal(isTooDeep(`["\\\\",${'['.repeat(100)}${']'.repeat(100)}]`), true)
  })

  it('does not grow with what stands side by side', () => {
    equal(isTooDeep(JSON.stringify(Array.from({ length: 500 }, () => [{}]))), false)
  })
})
