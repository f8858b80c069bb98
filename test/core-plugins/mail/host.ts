import { readEnvironment, startKernel } from '#kernel'
import { messageSender } from '../../../core-plugins/mail/contract.ts'
import { codeTo, mailPlugins } from './world.ts'

/** A host in a process of its own that puts one message into the outbox and lives until it is killed. */
const kernel = await startKernel({
  env: { ...readEnvironment(), port: 0 },
  plugins: mailPlugins,
  namespace: process.env['NAMESPACE'] ?? '',
})
await kernel.services.get(messageSender).send(codeTo(process.argv[2] ?? ''))
