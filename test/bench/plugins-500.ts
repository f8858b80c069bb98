import { setTimeout as pause } from 'node:timers/promises'
import { startSandbox } from '../sandbox/host-releases.ts'
import { descendants, memoryOf } from '../support/processes.ts'
import { print } from './print.ts'
import { after, callEcho, callInTurns, installEchoCode, percentile } from './sandbox-calls.ts'

const plugins = 500
const tenants = 50
/** Plugins that are called all the time, in the isolates that are kept. */
const busyPlugins = 10

/** What very many plugins of very many tenants cost the sandbox: memory, a first call, and calls when most plugins are idle. */
export async function measureManyPlugins(): Promise<void> {
  await using sandbox = await startSandbox()
  const codes = await Promise.all(Array.from({ length: plugins }, (_, n) => installEchoCode(sandbox, `bench.n${n}`)))
  const [first] = codes
  if (!first) throw new Error('no plugin')
  // The sandbox hosts start with the first calls; what is measured is the plugin.
  for (const code of codes.slice(0, busyPlugins)) await callEcho(sandbox, code, 1)
  const before = memory()
  const cold: number[] = []
  for (const [n, code] of codes.slice(busyPlugins).entries()) cold.push(await callEcho(sandbox, code, n % tenants))
  print(`first call of a cold plugin, p50 of ${cold.length}`, `${percentile(cold, 0.5).toFixed(1)} ms`, '')
  print('first call of a cold plugin, p95', `${percentile(cold, 0.95).toFixed(1)} ms`, 'aim ≤ 50 ms')
  const grown = (memory() - before).toFixed(0)
  print(`memory added by ${cold.length} plugins that were called once`, `${grown} MB`, 'at most 24 isolates a host')
  const busy = codes.slice(0, busyPlugins)
  const call = (n: number): Promise<number> => callEcho(sandbox, busy[n % busyPlugins] ?? first, n % tenants)
  await callInTurns(32, after(3), call)
  const steady = await callInTurns(32, after(5), call)
  print(`calls/s of ${busyPlugins} plugins, ${tenants} tenants, 32 at once`, `${Math.round(steady.length / 5)}/s`, '')
  print('p95 of such a call', `${percentile(steady, 0.95).toFixed(2)} ms`, '32 at once keep every core busy')
  const paced = await callPaced(call)
  print('p95 added by the sandbox to a steady call, 32 connections', `${paced.toFixed(2)} ms`, 'aim ≤ 1 ms')
}

/** 32 callers of 30 requests a second each: what a call takes when the machine is not full. */
async function callPaced(call: (n: number) => Promise<number>): Promise<number> {
  const times: number[] = []
  const isOver = after(5)
  const caller = async (n: number): Promise<void> => {
    await pause((n * 33) / 32)
    while (!isOver()) {
      times.push(await call(n))
      await pause(33)
    }
  }
  await Promise.all(Array.from({ length: 32 }, (_, n) => caller(n)))
  return percentile(times, 0.95)
}

/** Of this process and the sandbox hosts, in MB. */
function memory(): number {
  return [process.pid, ...descendants(process.pid)].reduce((sum, pid) => sum + memoryOf(pid), 0)
}
