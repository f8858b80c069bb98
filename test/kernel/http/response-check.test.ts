import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { bare, created, data, eventStream, raw, redirect, withEtag, type Route } from '#kernel'
import { compileResponseCheck } from '../../../kernel/http/response-check.ts'

const id = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } as const

function check(route: Partial<Route>, value: unknown): string {
  const shared = { method: 'get', path: '/probe', summary: 'Probe', handler: () => undefined } as const
  try {
    compileResponseCheck({ ...shared, ...route }, 'probe', 'lazily')?.(value)
    return 'fits'
  } catch (error) {
    return (error as Error).message.replace('probe answers what /openapi.json does not tell of it: ', '')
  }
}

describe('an answer, in tests', () => {
  const shown: readonly (readonly [string, Partial<Route>, unknown, string])[] = [
    ['with data that fits', { schema: { response: id } }, { id: 1 }, 'fits'],
    ['with data that does not', { schema: { response: id } }, { id: 'x' }, 'id must be integer'],
    ['made where that is not said', {}, created({}), '201 with application/json is none of its answers'],
    ['made where that is said', { answers: [201] }, created({}), 'fits'],
    ['of one of two forms', { answers: [{ schema: id }, { status: 201 }] }, data(1, { status: 201 }), 'fits'],
    ['bare where it is not', {}, bare({}), '200 with application/json is none of its answers'],
    ['bare as said', { answers: [{ isBare: true, schema: id }] }, raw('{"id":1}', 'application/json'), 'fits'],
    ['bare and wrong', { answers: [{ isBare: true, schema: id }] }, bare({}), 'id is required'],
    ['a file of the type', { answers: [{ types: ['image/*'] }] }, raw('x', 'image/png; a=b'), 'fits'],
    ['an empty one', { answers: [{ types: ['text/csv'] }] }, raw('', 'text/csv'), 'fits'],
    [
      'a file of another',
      { answers: [{ types: ['image/*'] }] },
      raw('x', 'text/csv'),
      '200 with text/csv is none of its answers',
    ],
    ['of two that it produces', { produces: ['application/json', 'text/csv'] }, raw('x', 'text/csv'), 'fits'],
    ['a stream', { answers: [{ types: ['application/octet-stream'] }] }, Readable.from([]), 'fits'],
    ['events', { produces: ['text/event-stream'] }, eventStream(Readable.from([])), 'fits'],
    ['that leads elsewhere', { answers: [302] }, redirect('/x'), 'fits'],
    ['that leads elsewhere unsaid', {}, redirect('/x'), '302 with nothing is none of its answers'],
    ['without a body', { answers: [204] }, data(null, { status: 204 }), 'fits'],
    ['with a version', { answers: [200, 304] }, withEtag({}, '1'), 'fits'],
    ['with a version unsaid', {}, withEtag({}, '1'), 'it has an entity tag, and 304 is none of its answers'],
    ['of a plugin', { answers: 'any' }, created({}), 'fits'],
    ['of a hidden route', { hidden: true }, created({}), 'fits'],
  ]
  for (const [name, route, value, said] of shown)
    it(`${name} is ${said === 'fits' ? 'let through' : 'refused'}`, () => assert.equal(check(route, value), said))
})
