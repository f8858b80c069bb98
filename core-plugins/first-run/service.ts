import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AppError, StartError, type Environment, type Scope } from '#kernel'
import type { Setup } from '../auth/contract.ts'
import type { DemoSeed } from '../tenants/contract.ts'
import { firstRunDemoSeeded } from './contract.ts'
import { describeFirstRun, describeStart, type FirstRun } from './present.ts'

/** What the first start stands on. */
interface FirstRunNeeds {
  readonly setup: Setup
  readonly demoSeed: DemoSeed
}

/** Makes the administrator or a set-up link and, on the first start of a database, the demo tenant; answers what to tell the operator. */
export async function runFirst(scope: Scope, needs: FirstRunNeeds): Promise<string> {
  const { env } = scope
  if (env.admin) await createAdmin(env.admin, needs.setup)
  return `${await tellFirstRun(scope, needs)}${describeStart(env)}`
}

/** Removes the file with the secrets of the first start. */
export async function forgetFirstRun(env: Environment): Promise<void> {
  await rm(fileOf(env), { force: true })
}

async function tellFirstRun(scope: Scope, needs: FirstRunNeeds): Promise<string> {
  if (await isFirst(scope)) return describeFirstRun(await makeFirstRun(scope, needs), scope.env)
  if (await needs.setup.isDone()) return ''
  return 'The platform has no administrator yet. `npm run setup-link` prints a new set-up link.\n'
}

async function isFirst({ db }: Scope): Promise<boolean> {
  const inserted = await db('first_runs')
    .insert({ is_only: true })
    .onConflict('is_only')
    .ignore()
    .returning<unknown[]>('is_only')
  return inserted.length > 0
}

async function makeFirstRun(scope: Scope, { setup, demoSeed }: FirstRunNeeds): Promise<FirstRun> {
  const { env, db } = scope
  try {
    const demo = env.seedDemo ? await demoSeed.run() : undefined
    if (demo) await scope.emit(firstRunDemoSeeded, {})
    const link = (await setup.isDone()) ? undefined : await setup.createSetupLink()
    const facts = {
      ...(link && { setup_token: link.token, setup_url: link.url }),
      ...(demo && { demo: { tenant_code: demo.tenantCode, account: demo.account, password: demo.password } }),
    }
    // The file lives until the set-up is done, so where it is done already there is none.
    if (link) await writeFile(fileOf(env), JSON.stringify(facts, null, 2), { mode: 0o600 })
    return facts
  } catch (error) {
    // The next start is the first one again.
    await db('first_runs').delete()
    throw error
  }
}

/** Any start while there is no administrator may make one, so that a refused password can be mended and tried again. */
async function createAdmin(admin: NonNullable<Environment['admin']>, setup: Setup): Promise<void> {
  try {
    if (!(await setup.isDone())) await setup.createAdmin(admin)
  } catch (error) {
    // Another host that starts at the same time may have been faster.
    if (await setup.isDone()) return
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const faults = error.errors?.map(({ field, message }) => `${field} ${message}`) ?? [error.message]
    throw new StartError(`ADMIN_EMAIL and ADMIN_PASSWORD make no administrator: ${faults.join(', ')}`, { cause: error })
  }
}

function fileOf(env: Environment): string {
  return path.join(env.dataDir, 'first-run.json')
}
