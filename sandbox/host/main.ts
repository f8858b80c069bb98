import { Socket } from 'node:net'

import { Channel } from '../supervisor/channel.ts'
import { GuestHost, type Hello } from './guest-host.ts'

/** The other end of this descriptor is the supervisor's. */
const CHANNEL_DESCRIPTOR = 3

let host: GuestHost | undefined

/** SIGKILL, because a process with a thread that cannot be stopped does not exit otherwise. */
const die = (): void => void process.kill(process.pid, 'SIGKILL')

const channel = new Channel(
  new Socket({ fd: CHANNEL_DESCRIPTOR, readable: true, writable: true }),
  (frame) => {
    if (host) return host.receive(frame)
    host = new GuestHost(channel, JSON.parse(frame.fields[0] ?? '') as Hello)
    channel.send('ready', 0)
  },
  die,
)

// A guest's error that nobody handles is the guest's; a fault of this process must end it, not leave it half alive.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`, die)
})
