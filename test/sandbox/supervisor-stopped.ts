import { setTimeout as pause } from 'node:timers/promises'

import { PluginHealth } from '../../sandbox/health/plugin-health.ts'
import type { Outcome } from '../../sandbox/wire/call.ts'
import { handlerModule, startSandbox, tight } from './host-releases.ts'

// A platform that is stopped from outside while guests wait for it and for nothing: it tells what their calls said of the plugin.
const say = (value: unknown): boolean => process.stdout.write(`${JSON.stringify(value)}\n`)
const health = new PluginHealth(
  () => say('quarantined'),
  () => say('told'),
)
const sandbox = await startSandbox({ lanes: 1 })
const code = await sandbox.install('asks', handlerModule('if (request.ask) await ctx.cache.get("a"); return 1'))
const limits = { ...tight, wallMs: 1_000 }
let asked = 0
const host = (): Promise<never> => {
  asked++
  return new Promise(() => undefined)
}
const askAll = (): Promise<readonly Outcome[]> => {
  asked = 0
  return Promise.all(Array.from({ length: 4 }, () => sandbox.call(code, { limits, input: '{"ask":true}', host })))
}
const allAsked = async (): Promise<boolean> => {
  while (asked < 4) await pause(5)
  return true
}
let calls = askAll()
// On a busy machine their time may be over before all four wait for the platform: then once more.
while (!(await Promise.race([allAsked(), calls.then(() => false)]))) calls = askAll()
say('called')
const outcomes = await calls
const signs = outcomes.map((outcome) => health.record('asks', 1, outcome) ?? null)
const again = health.record('asks', 1, await sandbox.call(code, { limits: { ...limits, wallMs: 20_000 } }))
say({ signs, again, kills: sandbox.pool.stats().kills })
await sandbox[Symbol.asyncDispose]()
