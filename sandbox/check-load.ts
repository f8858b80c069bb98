import { setTimeout as wait } from 'node:timers/promises'

import type { Logger } from '#kernel'
import { authorText } from './author-text.ts'
import { PluginNotLoadableError } from './errors.ts'
import { hostModuleNames } from './host-modules/host-modules.ts'
import { sandboxLimits } from './limits.ts'
import type { PluginManifest } from './manifest/plugin-manifest.ts'
import { outcomeError } from './wire/outcome-error.ts'
import type { Release } from './services.ts'
import { AuthorStacks } from './source-map/author-stacks.ts'
import { faultOf } from './wire/fault.ts'
import type { Call, CallTarget, Failure, Outcome, SandboxTrial } from './wire/call.ts'

const maxWhy = 500
/** How long a machine without time is waited for. */
const patienceMs = 30_000
/** Who refuses at once is not asked at once again: this process has others to serve. */
const pauseMs = 100
const leastCpuMs = 100

/** Loads a release where it harms nobody: it evaluates, has what its manifest names, and passes its self-test. */
export async function checkLoad(trial: SandboxTrial, release: Release, log: Logger): Promise<void> {
  const { manifest } = release
  const targets = JSON.stringify(listTargets(manifest))
  const check = toCall(release, { kind: 'check', name: 'manifest' }, targets, sandboxLimits.wallMs.default)
  const checked = await callPatiently(trial, check)
  const absent = JSON.parse(await valueOf(checked, release, log)) as readonly string[]
  if (absent.length > 0) throw new PluginNotLoadableError({ why: `it has no ${absent.join(', no ')}` })
  const selfTest = manifest.hooks?.selfTest
  if (selfTest === undefined) return
  const target = { kind: 'hook', name: selfTest } as const
  const test = toCall(release, target, '{}', sandboxLimits.selfTestWallMs.default)
  await valueOf(await callPatiently(trial, test), release, log)
}

/**
 * A machine that serves others, or a sandbox host that ended of something else, says nothing of a release: it is tried again
 * with the CPU time that it has left, so that none spends more than one try allows.
 */
async function callPatiently(trial: SandboxTrial, call: Call): Promise<Outcome> {
  const { limits } = call
  const patience = performance.now() + Math.max(limits.wallMs, patienceMs)
  let { cpuMs } = limits
  for (;;) {
    const outcome = await trial.call({ ...call, limits: { ...limits, cpuMs } })
    if (outcome.ok || faultOf(outcome) === 'guest' || performance.now() > patience) return outcome
    if (outcome.kind === 'killed' && outcome.cause === 'dispose') return outcome
    await wait(pauseMs)
    cpuMs = Math.max(leastCpuMs, cpuMs - outcome.cpuMs)
  }
}

/** Everything in the default export that the manifest names. */
function listTargets(manifest: PluginManifest): readonly CallTarget[] {
  const {
    admin_routes = [],
    tenant_routes = [],
    public_routes = [],
    schedules = [],
    jobs = [],
    hooks = {},
    events,
    provides,
  } = manifest
  const routes = [...admin_routes, ...tenant_routes, ...public_routes]
  const named = (kind: CallTarget['kind'], names: readonly (string | undefined)[]): readonly CallTarget[] =>
    [...new Set(names)].flatMap((name) => (name === undefined ? [] : { kind, name }))
  return [
    ...named(
      'handler',
      routes.map(({ handler }) => handler),
    ),
    ...named(
      'provider',
      (provides?.aiProviders ?? []).flatMap(({ handlers }) => Object.values(handlers)),
    ),
    ...named(
      'guardrail',
      (provides?.aiGuardrails ?? []).flatMap(({ handlers }) => Object.values(handlers)),
    ),
    ...named(
      'router',
      (provides?.aiRouters ?? []).map(({ handler }) => handler),
    ),
    ...named(
      'driver',
      (provides?.storageDrivers ?? []).flatMap(({ handlers }) => Object.values(handlers)),
    ),
    ...named('hook', Object.values(hooks)),
    ...named('event', events?.subscribe ?? []),
    ...named(
      'schedule',
      schedules.map(({ handler }) => handler),
    ),
    ...named(
      'job',
      jobs.map(({ handler }) => handler),
    ),
    ...named(
      'service',
      (provides?.services ?? []).flatMap(({ methods }) => methods.map(({ handler }) => handler)),
    ),
    ...named(
      'tool',
      (provides?.aiTools ?? []).map(({ handler }) => handler),
    ),
    ...named('captcha', provides?.captcha ? ['challenge', 'verify'] : []),
  ]
}

/** A self-test has no capability: what it needs of the world is not there yet. */
function toCall(release: Release, target: CallTarget, input: string, wallMs: number): Call {
  const { name, version, treeHash, directory, files, manifest } = release
  return {
    code: {
      id: `${name}@${treeHash}`,
      plugin: name,
      directory,
      main: manifest.main,
      files,
      hostModules: hostModuleNames(manifest.hostModules),
      memoryMb: sandboxLimits.memoryMb.default,
      trusted: false,
    },
    tenant: '0',
    target,
    input,
    ctx: JSON.stringify({
      plugin: { name, version },
      tenant: null,
      user: null,
      deadline: Date.now() + wallMs,
      capabilities: [],
    }),
    limits: {
      // What a self-test may take in all: to load a release is no more than that, and no less on a busy machine.
      cpuMs: sandboxLimits.selfTestWallMs.default,
      wallMs,
      hostCalls: 0,
      hostCallsInFlight: 1,
      logLines: 0,
      responseBytes: sandboxLimits.responseBytes.default,
      concurrency: 1,
      tenantConcurrency: 1,
      queue: 1,
    },
    host: () => Promise.resolve({ ok: false, code: 'forbidden', message: 'A test has no capability' }),
  }
}

async function valueOf(outcome: Outcome, release: Release, log: Logger): Promise<string> {
  if (outcome.ok) return outcome.value
  const { name, version } = release
  log.info({ plugin: name, version, outcome }, 'a release did not load')
  // Nobody has seen yet whether it loads.
  if (outcome.kind === 'killed') throw outcomeError(name, outcome)
  const why = await new AuthorStacks().map(release, explain(outcome))
  throw new PluginNotLoadableError({ why: authorText(why, maxWhy) })
}

function explain(outcome: Exclude<Failure, { kind: 'killed' }>): string {
  switch (outcome.kind) {
    case 'threw':
      return placed(`${outcome.error.name}: ${outcome.error.message}`, outcome.error.stack)
    case 'limit':
      return `it goes beyond the limit of ${outcome.limit}`
    case 'timeout':
      return 'it takes too long'
    case 'invalid':
      return outcome.message
    case 'load':
      return placed(outcome.message, outcome.stack)
  }
}

/** With the innermost line of the plugin's own, for whoever has to find it. */
function placed(message: string, stack = ''): string {
  const place = /plugin:[\w@./-]+:\d+:\d+/.exec(stack)?.[0]
  return place === undefined ? message : `${message} (${place})`
}
