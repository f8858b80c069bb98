import type { CallTarget } from '../wire/call.ts'
import type { Outlet } from '../wire/channel.ts'
import type { GuestCode } from '../wire/source-files.ts'
import { GuestHost } from './guest-host.ts'
import type { Hello } from './hello.ts'

const text = 'export default { handlers: { async run() { return 1 } } }'
const code: GuestCode = {
  ...{ id: 'rehearsal@0', plugin: 'rehearsal', main: 'index.js' },
  ...{ files: ['index.js'], hostModules: [], memoryMb: 128 },
}
const limits = {
  ...{ cpuMs: 10_000, wallMs: 10_000, hostCalls: 0, hostCallsInFlight: 1, logLines: 0, responseBytes: 1_024 },
  ...{ concurrency: 1, tenantConcurrency: 1, queue: 1 },
}
const target: CallTarget = { kind: 'handler', name: 'run' }

/**
 * Serves one call of a plugin that does nothing, and forgets it: what a process does for the first time takes it several
 * times as long, and the first call of a spare host is one that has lost another.
 */
export async function rehearse(hello: Hello): Promise<void> {
  const done = Promise.withResolvers<void>()
  const outlet: Outlet = {
    send(type, id) {
      if (type === 'source') setImmediate(() => host.receive({ type, id, fields: ['1', text] }))
      if (type === 'done') done.resolve()
    },
    whenSent: (hasLeft) => hasLeft(),
  }
  const host = new GuestHost(outlet, hello)
  host.receive({ type: 'code', id: 0, fields: [JSON.stringify(code)] })
  const header = JSON.stringify({ code: code.id, tenant: '0', ...target, limits, mayWait: false })
  const ctx = JSON.stringify({ plugin: {}, tenant: null, capabilities: [] })
  host.receive({ type: 'call', id: 1, fields: [header, '{}', ctx] })
  await done.promise
  host.receive({ type: 'drop', id: 0, fields: [code.id] })
}
