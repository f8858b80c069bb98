import { deepEqual, equal } from 'node:assert/strict'
import { AppError } from '#kernel'
import { JsonText } from '../../sandbox/broker/json-text.ts'
import { Refusal } from '../../sandbox/broker/refusal.ts'
import { effectiveLimits } from '../../sandbox/effective-limits.ts'
import { Broker, type BrokeredCall } from '../../sandbox/broker/broker.ts'
import type { HostAnswer } from '../../sandbox/wire/call.ts'
import { recordingLog } from '../support/recording-log.ts'
import { Meter } from '../../sandbox/metering/meter.ts'

describe('the broker of host calls', () => {
  const { log, lines } = recordingLog()
  const broker = new Broker(
    [
      {
        capability: 'http',
        operations: {
          'http.fetch': (argument) => Promise.resolve(argument),
          'http.text': () => Promise.resolve(new JsonText('[1, 2]')),
          'http.nothing': () => Promise.resolve(),
          'http.refuse': () => Promise.reject(new Refusal('conflict', 'taken', 'It is taken', { by: 1 })),
          'http.full': () =>
            Promise.reject(new AppError(4297, 'storage_quota_exceeded', 'Full', {}, { details: { left: 0 } })),
          'http.break': () => Promise.reject(new Error('with a secret')),
          'http.wait': (_argument, _call, signal) =>
            new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
        },
      },
      { operations: { 'cache.get': () => Promise.resolve('free') } },
    ],
    log,
  )
  const ask = (operation: string, argument = '{}', call: Partial<BrokeredCall> = {}): Promise<HostAnswer> => {
    const own: BrokeredCall = {
      ...{ plugin: 'acme.notes', tenantId: 1, limits: effectiveLimits(), hop: 0, traceId: 't', signal: undefined },
      capabilities: new Set(['http']),
      count: () => 1,
      usage: new Meter().open('acme.notes', 1, { kind: 'handler', name: 'test' }),
      ...call,
    }
    return broker.forCall(own)(operation, argument, AbortSignal.timeout(10_000), () => Promise.resolve())
  }

  it('passes arguments in and values out as JSON', async () => {
    deepEqual(
      [await ask('http.fetch', '{"a":1}'), await ask('http.text'), await ask('http.nothing'), await ask('cache.get')],
      [
        { ok: true, value: '{"a":1}' },
        { ok: true, value: '[1, 2]' },
        { ok: true, value: 'null' },
        { ok: true, value: '"free"' },
      ],
    )
  })

  it('knows no operation but those that were granted', async () => {
    const unknown = ['http.nope', 'db.query', '', '__proto__', 'constructor', 'toString', 'http', 'http.fetch ']
    for (const operation of unknown) {
      const answer = await ask(operation)
      deepEqual(
        [operation, answer.ok, !answer.ok && answer.details],
        [operation, false, { reason: 'operation_unknown' }],
      )
    }
    const denied = { capabilities: new Set<never>() }
    deepEqual(await ask('http.fetch', '{}', denied), {
      ok: false,
      code: 'forbidden',
      message: 'The capability http was not granted',
      details: { reason: 'capability_missing', capability: 'http' },
    })
    equal((await ask('cache.get', '{}', denied)).ok, true)
  })

  it('refuses arguments that are no objects, too large or too deep', async () => {
    const answers = await Promise.all(
      ['', '[]', '1', 'null', '"a"', '{', '{"a":undefined}'].map((text) => ask('http.fetch', text)),
    )
    deepEqual(new Set(answers.map((answer) => !answer.ok && answer.code)), new Set(['bad_request']))
    const large = await ask('http.fetch', JSON.stringify({ a: 'ä'.repeat(524_288) }))
    deepEqual(large.ok || large.details, { reason: 'argument_too_large' })
    const deep = await ask('http.fetch', `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`)
    deepEqual(deep.ok || deep.details, { reason: 'argument_too_deep' })
  })

  it('turns every failure into a value, and tells of its own faults in the log alone', async () => {
    deepEqual(
      [await ask('http.refuse'), await ask('http.full'), await ask('http.break')],
      [
        { ok: false, code: 'conflict', message: 'It is taken', details: { reason: 'taken', by: 1 } },
        { ok: false, code: 'rate_limited', message: 'Full', details: { left: 0, reason: 'storage_quota_exceeded' } },
        { ok: false, code: 'internal', message: 'The platform could not do it', details: { reason: 'internal' } },
      ],
    )
    deepEqual(lines, ['error: a host call failed'])
  })

  it('ends host work when the caller goes away', async () => {
    const caller = new AbortController()
    const waiting = ask('http.wait', '{}', { signal: caller.signal })
    caller.abort()
    const aborted = { ok: false, code: 'upstream', message: 'The call has ended', details: { reason: 'aborted' } }
    deepEqual([await waiting, await ask('http.fetch', '{}', { signal: caller.signal })], [aborted, aborted])
  })
})
