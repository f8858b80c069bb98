import { appendFile } from 'node:fs/promises'
import { readEnvironment, startKernel } from '#kernel'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import { queuePlugins } from './world.ts'

/** A host in a process of its own that runs jobs, which say so in a file and never end, until it is killed. */
const kernel = await startKernel({
  env: { ...readEnvironment(), port: 0 },
  plugins: queuePlugins,
  namespace: process.env['NAMESPACE'] ?? '',
})
kernel.services.get(jobs).register<{ key: string; n: number }>({
  kind: 'test.work',
  async run({ payload: { key, n } }) {
    await appendFile(process.argv[2] ?? '', `${key} ${n}\n`)
    await new Promise(() => undefined)
  },
})
