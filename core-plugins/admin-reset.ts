import { parseArgs } from 'node:util'
import { createLogger, readEnvironment, startFault, startKernel, StartError } from '#kernel'
import { adminReset } from './auth/contract.ts'
import { commandPlugins } from './command-plugins.ts'
import { describeReset } from './first-run/present.ts'

try {
  const email = readEmail()
  const env = { ...readEnvironment(), port: 0, host: '127.0.0.1' }
  await using kernel = await startKernel({ env, plugins: commandPlugins, log: createLogger('error') })
  const link = await kernel.services.get(adminReset).createLink(email)
  if (!link) throw new StartError(`There is no active administrator of the platform with the address ${email}`)
  console.log(describeReset(link.url))
} catch (error) {
  const line = startFault(error)
  if (line === undefined) throw error
  console.error(line)
  process.exit(1)
}

function readEmail(): string {
  const { values } = parseArgs({ options: { email: { type: 'string' } }, strict: false })
  if (typeof values.email === 'string' && values.email.includes('@')) return values.email
  throw new StartError('Say whose password: npm run admin:reset -- --email admin@example.com')
}
