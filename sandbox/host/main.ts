import { Socket } from 'node:net'

import { Channel } from '../wire/channel.ts'
import { GuestHost } from './guest-host.ts'
import type { Hello } from './hello.ts'
import { rehearse } from './rehearse.ts'

/** The other end of this descriptor is the supervisor's. */
const channelDescriptor = 3
const chunkBytes = 65_536

let host: GuestHost | undefined

async function begin(hello: Hello): Promise<void> {
  // With the JIT an isolate reserves what would be taken for this process's own.
  if (!hello.hasJit) await rehearse(hello)
  host = new GuestHost(channel, hello)
  channel.send('ready', 0)
}

/** By a signal, because a process with a thread that cannot be stopped does not exit otherwise. */
const die = (signal: NodeJS.Signals): void => void process.kill(process.pid, signal)

const chunk = Buffer.alloc(chunkBytes)
const socket = new Socket({
  fd: channelDescriptor,
  readable: true,
  writable: true,
  // Past the stream's own buffers, which cost an interpreted program too much.
  onread: {
    buffer: chunk,
    callback: (length) => {
      channel.receive(chunk.subarray(0, length))
      return true
    },
  },
})

const channel: Channel = new Channel(
  socket,
  {
    onFrame: (frame) => {
      if (host) return host.receive(frame)
      void begin(JSON.parse(frame.fields[0] ?? '') as Hello)
    },
    onClose: () => die('SIGKILL'),
    onSpent: (call, milliseconds) => host?.charge(call, milliseconds),
  },
  channelDescriptor,
)

// A guest's error that nobody handles is the guest's; a fault of this process must end it, not leave it half alive. By
// SIGABRT: the supervisor takes a SIGKILL for somebody else's, and would lay the death to nobody.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`, () => die('SIGABRT'))
})
