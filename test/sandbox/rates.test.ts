import { deepEqual } from 'node:assert/strict'
import { MemoryRateLimiter } from '../../kernel/data/memory-rate-limiter.ts'
import { ai } from '../../sandbox/broker/ai.ts'
import type { CapabilityOperations } from '../../sandbox/broker/capability.ts'
import { jobs } from '../../sandbox/broker/jobs.ts'
import { mail } from '../../sandbox/broker/mail.ts'
import { notify } from '../../sandbox/broker/notify.ts'
import { GuestCalls } from './capabilities-call.ts'

const done = { notify: () => Promise.resolve('1'), mail: () => Promise.resolve(), invokeAi: () => Promise.resolve({}) }
const template = { name: 'due', subject: { default: 'Due' }, body: { default: 'Due' } }
const manifest = { name: 'acme.notes', jobs: [{ name: 'count' }], mail: { templates: [template] } }

/** How often each may be done, and how it is asked for. */
const bounded: readonly (readonly [
  operation: string,
  most: number,
  provider: { create(parts: never): unknown },
  argument: object,
])[] = [
  ['notify.send', 30, notify, { userId: 1, title: 'a' }],
  ['mail.send', 2, mail, { template: 'due', to: 1 }],
  ['jobs.enqueue', 2, jobs, { name: 'count' }],
  ['ai.invoke', 60, ai, {}],
]

describe('what guests may do so often', () => {
  for (const [operation, most, provider, argument] of bounded) {
    it(`${operation} is counted for each tenant by itself`, async () => {
      const services = {
        ...{ ...done, jobs: { enqueue: () => Promise.resolve('1') }, limiter: new MemoryRateLimiter() },
      }
      const capability = provider.create({ services, manifest } as unknown as never)
      const limits = { mailsPerDay: 2, jobsPerMinute: 2 }
      // A call asks models twenty times at most.
      const ask = (tenantId: number) =>
        new GuestCalls(capability as CapabilityOperations, { tenantId, limits }).ask(operation, argument)
      const isRefused = (answer: unknown): boolean => String(answer).startsWith('rate_limited')
      const first = []
      for (let time = 0; time < most; time++) first.push(isRefused(await ask(1)))
      deepEqual([first.includes(true), isRefused(await ask(1)), isRefused(await ask(2))], [false, true, false])
    })
  }

  it('a call asks models twenty times', async () => {
    const services = { ...done, limiter: new MemoryRateLimiter() }
    const guest = new GuestCalls(ai.create({ services } as unknown as never) as CapabilityOperations)
    const answers = []
    for (let time = 0; time < 21; time++) answers.push(await guest.ask('ai.invoke'))
    deepEqual(answers, [...Array.from({ length: 20 }, () => ({})), 'rate_limited ai_calls'])
  })
})
