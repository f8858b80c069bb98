import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Answer, Api, Body } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, upload } from '../../support/small-plugin.ts'
import { packVariant, versions, type Variant } from './releases.ts'
import { cleanupSteps } from '../../../core-plugins/plugins/removal/cleanup-steps.ts'
import { rollbackSteps } from '../../../core-plugins/plugins/rollbacks/rollback-steps.ts'
import { upgradeSteps } from '../../../core-plugins/plugins/upgrades/upgrade-steps.ts'

/** A plugin as its administrators see it; undefined where there is none. */
export interface Seen {
  readonly status: string
  readonly version: string
  /** Whether a release waits for a consent. */
  readonly isAsked?: boolean
}

/** Whom a scenario is played with. */
export interface Stage {
  readonly admin: Api
  readonly name: string
  /** Of the host that is killed. */
  readonly dataDir: string
}

/** Something done to a plugin, the steps that it consists of, and what is there before and after. */
export interface Scenario {
  readonly title: string
  readonly kind: string
  readonly steps: readonly string[]
  /** The step from which on it is never undone. */
  readonly commits: string
  readonly before: Seen | undefined
  readonly after: Seen | undefined
  readonly prepare: (stage: Stage) => Promise<void>
  readonly act: (stage: Stage) => Promise<Answer>
  /** How it ends where a host that died had committed it. */
  readonly state?: 'aborted'
  /** What it answers when nothing goes wrong. */
  readonly status?: number
}

/** A plugin that runs in this release. */
export function enabled(variant: Variant): Seen {
  return { status: 'enabled', version: versions[variant] }
}

/** The steps of a list by name, without those that are not of this way through it. */
export function stepsOf(list: readonly { readonly name: string }[], ...without: readonly string[]): readonly string[] {
  return list.map(({ name }) => name).filter((name) => !without.includes(name))
}

const first: Seen = { status: 'installed', version: versions.first }

async function send({ admin, name }: Stage, variant: Variant): Promise<Answer> {
  const file = { field: 'file', name: 'a.plugin.zip', content: await packVariant(name, variant) }
  return admin.call('POST', `/admin/plugins/${name}/upgrade`, { file })
}

async function consent({ admin, name }: Stage): Promise<Answer> {
  const { release_hash, diff_hash } = dataOf(await admin.get(`/admin/plugins/${name}`))['consent'] as Body
  return admin.post(`/admin/plugins/${name}/consent`, { accept: true, release_hash, diff_hash })
}

async function run({ admin, name }: Stage): Promise<void> {
  await installAndEnable(admin, await packVariant(name, 'first'))
  dataOf(await admin.post(`/admin/plugins/${name}/api/put`, { text: 'kept' }))
}

async function runThen(stage: Stage, variant: Variant): Promise<void> {
  await run(stage)
  dataOf(await send(stage, variant))
}

const post = (path: string, body?: object) => (stage: Stage) =>
  stage.admin.post(`/admin/plugins/${stage.name}/${path}`, body)
const remove = (more: string) => (stage: Stage) => stage.admin.delete(`/admin/plugins/${stage.name}${more}`)
const gated = ['gate', 'drain']
const fetched = ['store', 'keep']
const running = { before: enabled('first'), prepare: run }

/** Everything that is done to plugins. */
export const scenarios: readonly Scenario[] = [
  {
    ...{ title: 'install', kind: 'install', steps: ['store', 'load_test', 'commit', 'converge'], commits: 'commit' },
    ...{ before: undefined, after: { status: 'awaiting_consent', version: versions.first }, status: 201 },
    prepare: () => Promise.resolve(),
    act: async ({ admin, name }) => upload(admin, await packVariant(name, 'first')),
  },
  {
    ...{ title: 'consent', kind: 'consent', steps: ['grant', 'converge', 'hook'], commits: 'grant' },
    ...{ before: { status: 'awaiting_consent', version: versions.first }, after: first },
    prepare: async ({ admin, name }) => void dataOf(await upload(admin, await packVariant(name, 'first')), 201),
    act: consent,
  },
  {
    ...{ title: 'enable', kind: 'enable', steps: ['load', 'hook', 'commit', 'converge'], commits: 'commit' },
    ...{ before: first, after: enabled('first') },
    prepare: async (stage) => {
      dataOf(await upload(stage.admin, await packVariant(stage.name, 'first')), 201)
      dataOf(await consent(stage))
    },
    act: post('enable'),
  },
  {
    ...{ ...running, title: 'disable', kind: 'disable', steps: ['commit', 'converge', 'hook'], commits: 'commit' },
    ...{ after: first, act: post('disable') },
  },
  {
    ...{ ...running, title: 'sync', kind: 'sync', steps: ['load', 'commit', 'converge'], commits: 'commit' },
    ...{ after: enabled('first'), act: post('sync-manifest') },
  },
  {
    ...{ ...running, title: 'upgrade', kind: 'upgrade', commits: 'switch' },
    steps: stepsOf(upgradeSteps, 'ask', ...gated, 'doom'),
    ...{ after: enabled('narrow'), act: (stage) => send(stage, 'narrow') },
  },
  {
    ...{ ...running, title: 'upgrade of the schema', kind: 'upgrade', commits: 'switch' },
    steps: stepsOf(upgradeSteps, 'ask', 'doom'),
    ...{ after: enabled('schema'), act: (stage) => send(stage, 'schema') },
  },
  {
    ...{
      ...running,
      title: 'upgrade that asks',
      kind: 'upgrade',
      steps: stepsOf(upgradeSteps.slice(0, upgradeSteps.findIndex(({ name }) => name === 'ask') + 1)),
      commits: 'ask',
    },
    ...{ after: { ...enabled('first'), isAsked: true }, act: (stage) => send(stage, 'wider') },
  },
  {
    ...{ title: 'consent to an upgrade', kind: 'upgrade', commits: 'switch' },
    steps: stepsOf(upgradeSteps, 'store', 'ask', ...gated, 'doom'),
    ...{ before: { ...enabled('first'), isAsked: true }, after: enabled('wider') },
    ...{ prepare: (stage) => runThen(stage, 'wider'), act: consent },
  },
  {
    ...{
      ...running,
      title: 'upgrade that fails',
      kind: 'upgrade',
      steps: stepsOf(upgradeSteps, 'ask', ...gated, 'prune'),
      commits: 'switch',
      state: 'aborted',
    },
    ...{ after: enabled('first'), act: (stage) => send(stage, 'failing'), status: 500 },
  },
  {
    ...{ ...running, title: 'automatic rollback', kind: 'rollback' },
    steps: stepsOf(rollbackSteps, ...fetched, 'verify', 'backup', ...gated),
    ...{ commits: 'commit', after: enabled('first'), act: (stage) => send(stage, 'failing'), status: 500 },
  },
  {
    ...{ title: 'rollback', kind: 'rollback', commits: 'commit' },
    steps: stepsOf(rollbackSteps, ...fetched, 'verify', 'backup', ...gated),
    ...{ before: enabled('narrow'), after: enabled('first') },
    ...{ prepare: (stage) => runThen(stage, 'narrow'), act: post('rollback', {}) },
  },
  {
    ...{ title: 'rollback of the schema', kind: 'rollback', commits: 'commit' },
    steps: stepsOf(rollbackSteps, ...fetched, 'verify'),
    ...{ before: enabled('schema'), after: enabled('first') },
    ...{ prepare: (stage) => runThen(stage, 'schema'), act: post('rollback', { data: 'down' }) },
  },
  {
    ...{ title: 'rollback to a backup', kind: 'rollback', commits: 'commit' },
    steps: stepsOf(rollbackSteps, ...fetched),
    ...{ before: enabled('schema'), after: enabled('first') },
    ...{ prepare: (stage) => runThen(stage, 'schema'), act: post('rollback', { data: 'restore', confirm: true }) },
  },
  {
    ...{ ...running, title: 'repair', kind: 'repair', steps: ['unpack', 'commit', 'converge', 'sweep', 'start'] },
    ...{ commits: 'commit', after: enabled('first'), act: post('repair') },
    prepare: async (stage) => {
      await run(stage)
      await rm(path.join(stage.dataDir, 'packages', stage.name), { recursive: true, force: true })
    },
  },
  {
    ...{ ...running, title: 'backup', kind: 'backup', steps: ['backup', 'record'], commits: 'record', status: 201 },
    ...{ after: enabled('first'), act: post('backups') },
  },
  {
    ...{ title: 'deletion of a backup', kind: 'delete_backup', steps: ['delete', 'objects'], commits: 'delete' },
    ...{ before: enabled('first'), after: enabled('first') },
    prepare: async (stage) => {
      await run(stage)
      dataOf(await post('backups')(stage), 201)
    },
    act: async ({ admin, name }) => {
      const { items } = dataOf(await admin.get(`/admin/plugins/${name}/backups`)) as unknown as { items: Body[] }
      assert.ok(items[0])
      return admin.delete(`/admin/plugins/${name}/backups/${items[0]['name'] as unknown as string}`)
    },
  },
  {
    ...{ ...running, title: 'uninstall', kind: 'uninstall', steps: stepsOf(cleanupSteps), commits: 'stop_dispatch' },
    ...{ after: undefined, act: remove('') },
  },
  {
    ...{
      ...running,
      title: 'uninstall without a backup',
      kind: 'uninstall',
      steps: stepsOf(cleanupSteps),
      commits: 'stop_dispatch',
    },
    ...{ after: undefined, act: remove('?purge=true') },
  },
  {
    ...{ ...running, title: 'clean-up', kind: 'force_cleanup', steps: stepsOf(cleanupSteps), commits: 'stop_dispatch' },
    ...{ after: undefined, act: remove('/force-cleanup?purge=true') },
  },
]
