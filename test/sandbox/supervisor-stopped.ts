import { PluginHealth } from '../../sandbox/plugin-health.ts'
import { handlerModule, startSandbox, tight, until } from './host-releases.ts'

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
const calls = Array.from({ length: 4 }, () => sandbox.call(code, { limits, input: '{"ask":true}', host }))
await until(() => asked === 4)
say('called')
const outcomes = await Promise.all(calls)
const signs = outcomes.map((outcome) => health.record('asks', 1, outcome) ?? null)
const again = health.record('asks', 1, await sandbox.call(code, { limits }))
say({ signs, again, kills: sandbox.pool.stats().kills })
await sandbox[Symbol.asyncDispose]()
