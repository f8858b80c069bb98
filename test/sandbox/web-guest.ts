import assert from 'node:assert/strict'

import { handlerModule, startSandbox, tight, type TestSandbox } from './host-releases.ts'

/** Limits that what a guest does with the web does not meet. */
export const webLimits = { ...tight, wallMs: 20_000, cpuMs: 2_000 }

/** For one `describe`: a sandbox whose guests say what they have of the web. */
export function useWebGuest() {
  let sandbox: TestSandbox
  let number = 0
  before(async () => (sandbox = await startSandbox()))
  after(() => sandbox[Symbol.asyncDispose]())

  const install: TestSandbox['install'] = (...given) => sandbox.install(...given)
  const call: TestSandbox['call'] = (...given) => sandbox.call(...given)

  async function outcomeOf(body: string, changes = {}, before = ''): ReturnType<TestSandbox['call']> {
    const code = await install(`web-${++number}`, handlerModule(body, before))
    return call(code, { limits: webLimits, ...changes })
  }

  async function answer(body: string, changes = {}, before = ''): Promise<unknown> {
    const outcome = await outcomeOf(body, changes, before)
    assert.ok(outcome.ok, JSON.stringify(outcome))
    return JSON.parse(outcome.value)
  }

  return { install, call, outcomeOf, answer }
}
