import type { Principal } from '#kernel'
import type { Sandbox } from '#sandbox'
import type { Knex } from 'knex'
import type { LoadedPlugin, PluginRuntime } from '../contract-running.ts'
import { openSlots } from '../shared/open-slots.ts'
import type { Contributors } from './contributors.ts'
import type { EventSlot } from './event-slot.ts'
import type { JobSlot } from './job-slot.ts'
import { KeptReleases } from './kept-releases.ts'
import type { PluginLoader } from './plugin-loader.ts'
import type { RunningState } from './running-state.ts'

/** What the runtime stands on. */
interface RuntimeParts {
  readonly db: Knex
  readonly state: RunningState
  readonly loader: PluginLoader
  readonly sandbox: Sandbox
  readonly events: EventSlot
  readonly jobs: JobSlot
  readonly contributors: Contributors
}

/** What other core plugins see of the plugins that run here. */
export function createRuntime({ db, state, loader, sandbox, events, jobs, contributors }: RuntimeParts): PluginRuntime {
  const kept = new KeptReleases(db, loader)
  return {
    find: (name) => loader.find(name),
    findKept: (running, treeHash) => kept.find(running, treeHash),
    loaded: () => loader.loaded,
    prepare: ({ id, name, activeRelease }) => loader.prepare({ id, name, releaseId: activeRelease }),
    gate: state.gate,
    deniedFor: (name, tenantId) => state.deniedFor(name, tenantId),
    hasEntryFor: (name, principal) => hasEntry(loader.find(name), state, principal),
    tenantsOf: (name) => [...(state.plugins.get(name)?.tenants.keys() ?? [])],
    get revision() {
      return state.revision
    },
    limits: (name) => sandbox.services.limits(name),
    metering: sandbox.metering,
    call: (call) => sandbox.call(call),
    deliver: (...delivery) => sandbox.deliver(...delivery),
    answer: (call) => sandbox.answer(call),
    isPaused: (name) => sandbox.isPaused(name),
    contribute: (contributor) => contributors.register(contributor),
    takeEvents: (publish) => events.take(publish),
    takeJobs: (taker) => jobs.take(taker),
  }
}

function hasEntry(
  plugin: LoadedPlugin | undefined,
  state: Pick<RunningState, 'gate' | 'deniedFor'>,
  principal: Principal,
): boolean {
  if (!plugin) return false
  const { manifest } = plugin.release
  const { scope, tenantId } = principal
  if (!state.gate(manifest.name, tenantId, 'view').open || state.deniedFor(manifest.name, tenantId).has('ui'))
    return false
  return openSlots(manifest, scope === 'tenant' ? 'tenant' : 'admin', principal).length > 0
}
