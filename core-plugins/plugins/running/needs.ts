import type { Logger, Scope } from '#kernel'
import type { Sandbox } from '#sandbox'
import type { Knex } from 'knex'
import type { Audit } from '../../access/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { Operation } from '../operations/operation.ts'
import type { OperationRunner } from '../operations/operation-runner.ts'
import type { Converger } from './converger.ts'
import type { Hosts } from './hosts.ts'
import type { PluginLoader } from './plugin-loader.ts'

/** What makes every host follow what is wanted of a plugin. */
export interface SettleNeeds {
  readonly db: Knex
  readonly emit: Scope['emit']
  readonly converger: Converger
  readonly hosts: Hosts
}

/** What calls a hook of an installed plugin. */
export interface HookNeeds {
  readonly db: Knex
  readonly log: Logger
  readonly loader: PluginLoader
  readonly sandbox: Sandbox
}

/** What pauses a plugin and tells of it. */
export interface QuarantineNeeds extends SettleNeeds {
  readonly operations: Pick<OperationRunner, 'signal'>
  readonly audit: Audit
  readonly jobs: Jobs
}

/** What each step of an operation is handed, also by a host that took the operation over. */
export interface Stage<N> {
  readonly parts: N
  readonly operation: Operation
}
