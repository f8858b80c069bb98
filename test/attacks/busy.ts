import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../support/api.ts'
import { plainRoute } from './neighbour.ts'
import { watchDuring, type Seen } from './watch.ts'

/** As many as there are sandbox hosts that plugins share. */
const processes = 2

/** The longest call of a route of the platform's own while other processes, which have nothing to do with it, are busy. */
export async function measureBusy(who: Api, milliseconds: number): Promise<Seen> {
  const spins = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  try {
    const [seen] = await watchDuring(who, [plainRoute], sleep(milliseconds))
    if (!seen) throw new Error('nothing was seen')
    return seen
  } finally {
    for (const spin of spins) {
      spin.kill('SIGKILL')
      await once(spin, 'exit')
    }
  }
}
