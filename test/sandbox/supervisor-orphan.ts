import { handlerModule, startSandbox } from './host-releases.ts'

/** Run as a process of its own: starts a pool, prints the numbers of its hosts, and waits to be killed. */
const sandbox = await startSandbox()
await sandbox.call(await sandbox.install('orphan', handlerModule('return 1')))
process.stdout.write(JSON.stringify(sandbox.pool.stats().lanes.map(({ pid }) => pid)))
setInterval(() => undefined, 1_000)
