import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Environment, Scope } from '#kernel'
import type { Setup } from '../auth/contract.ts'
import type { DemoSeed } from '../tenants/contract.ts'
import { describeFirstRun, describeStart, type FirstRun } from './present.ts'

/** What the first start stands on. */
export interface FirstRunNeeds {
  readonly setup: Setup
  readonly demoSeed: DemoSeed
}

/** Says what to open; on the first start of a database also makes the administrator or a set-up link, and the demo tenant. */
export async function runFirst(scope: Scope, needs: FirstRunNeeds): Promise<void> {
  const { env } = scope
  if (await isFirst(scope)) {
    const facts = await makeFirstRun(env, needs)
    await writeFile(fileOf(env), JSON.stringify(facts, null, 2), { mode: 0o600 })
    console.log(describeFirstRun(facts, env))
  } else if (!(await needs.setup.isDone())) {
    console.log('The platform has no administrator yet. `npm run setup-link` prints a new set-up link.')
  }
  console.log(describeStart(env))
}

/** Removes the file with the secrets of the first start. */
export async function forgetFirstRun(env: Environment): Promise<void> {
  await rm(fileOf(env), { force: true })
}

async function isFirst(scope: Scope): Promise<boolean> {
  const inserted = await scope
    .db('first_runs')
    .insert({ is_only: true })
    .onConflict('is_only')
    .ignore()
    .returning('is_only')
  return inserted.length > 0
}

async function makeFirstRun(env: Environment, { setup, demoSeed }: FirstRunNeeds): Promise<FirstRun> {
  const demo = env.seedDemo ? await demoSeed.run() : undefined
  if (env.admin && !(await setup.isDone())) await setup.createAdmin(env.admin)
  const link = (await setup.isDone()) ? undefined : await setup.createSetupLink()
  return {
    ...(link && { setup_token: link.token, setup_url: link.url }),
    ...(demo && { demo: { tenant_code: demo.tenantCode, account: demo.account, password: demo.password } }),
  }
}

function fileOf(env: Environment): string {
  return path.join(env.dataDir, 'first-run.json')
}
