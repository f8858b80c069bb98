import path from 'node:path'
import { startHostProcess } from '../support/host-process.ts'
import { print } from './print.ts'

/** Start to first 200, on an empty data folder and again on the same one. */
export async function measureStart(dataDir: string): Promise<void> {
  for (const [name, aim] of [
    ['empty data folder', 'aim ≤ 6 s'],
    ['warm', 'aim ≤ 2 s'],
  ] as const) {
    const started = performance.now()
    const host = await startHostProcess({ dataDir: path.join(dataDir, 'start') })
    print(`start to first 200, ${name}`, `${((performance.now() - started) / 1000).toFixed(2)} s`, aim)
    await host.stop()
  }
}
