import { handlerModule, startSandbox, stuckSource, tight, type TestSandbox } from '../sandbox/host-releases.ts'
import { print } from './print.ts'
import { after, callEcho, callInTurns, installEchoCode, percentile } from './sandbox-calls.ts'

const seconds = 5
const neighbours = 4

/** What an attacker does again and again; nothing pauses it here, as the circuit breaker of the platform would. */
const attacks: Readonly<Record<string, string>> = {
  'loops without end': 'for (;;);',
  'fills the memory': 'const a = []; for (;;) a.push(new Array(1e5).fill(a.length))',
  'is stuck in a built-in, and has its host killed': `return ${stuckSource}`,
  'floods with host calls': 'for (;;) ctx.cache.get("a"), await null',
}

/** A neighbour's p99 while one plugin attacks, in units of its quiet p99. */
export async function measureNeighbour(): Promise<void> {
  await using sandbox = await startSandbox({ lanes: 1 })
  const code = await installEchoCode(sandbox, 'bench.neighbour')
  const call = (n: number): Promise<number> => callEcho(sandbox, code, n % neighbours)
  await callInTurns(neighbours, after(2), call)
  for (const [name, body] of Object.entries(attacks)) {
    const quiet = percentile(await callInTurns(neighbours, after(seconds), call), 0.99)
    const isOver = after(seconds)
    const [during] = await Promise.all([callInTurns(neighbours, isOver, call), attack(sandbox, name, body, isOver)])
    const p99 = percentile(during, 0.99)
    print(`neighbour's p99 while a plugin ${name}`, `${p99.toFixed(1)} ms`, `quiet ${quiet.toFixed(1)} ms`)
    print('  of its quiet p99', `${(p99 / quiet).toFixed(1)} times`, 'aim ≤ 3')
  }
}

async function attack(sandbox: TestSandbox, name: string, body: string, isOver: () => boolean): Promise<void> {
  const code = await sandbox.install(`bench.attacker-${name.replaceAll(/\W+/g, '-')}`, handlerModule(body))
  while (!isOver()) await sandbox.call(code, { limits: { ...tight, cpuMs: 1_000, wallMs: 10_000 } })
}
