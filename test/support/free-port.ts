import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that Linux gives out by itself (32768 and up, `ip_local_port_range`): one of those, closed to be used by a process
 * that is started next, may by then belong to a connection or a server of another test.
 */
const firstPort = 20_000
/** Each process of the runner has ports of its own, and begins anywhere in them, as another run may go on beside this one. */
const portsOfProcess = 1_000
const processes = 12

const first = firstPort + (Number(process.env['MOCHA_WORKER_ID'] ?? processes - 1) % processes) * portsOfProcess
let next = Math.floor(Math.random() * portsOfProcess)

/** A port of loopback on which nobody listens, and which this process hands out to nobody else for a thousand calls. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < portsOfProcess; tried++) {
    const port = first + next
    next = (next + 1) % portsOfProcess
    if (await isFree(port)) return port
  }
  throw new Error(`no port between ${first} and ${first + portsOfProcess} is free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
