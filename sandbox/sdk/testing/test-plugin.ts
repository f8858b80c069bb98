import { randomUUID } from 'node:crypto'
import { AppError, data, NotFoundError, PayloadTooLargeError, PermissionDeniedError, type Reply } from '#kernel'
import { sandboxLimits } from '../../limits.ts'
import { listenerOf } from '../../listener-of.ts'
import { permissionCode } from '../../manifest/names.ts'
import { outcomeError } from '../../wire/outcome-error.ts'
import { compileToolCheck } from '../../plugin/compile-tool-check.ts'
import { formBounds } from '../../plugin/receive-form.ts'
import { toReply } from '../../plugin/guest-response.ts'
import { findServiceMethod } from '../../plugin/service-method.ts'
import type { GuestCall, HookName, Release, Sandbox } from '../../services.ts'
import type { Grants } from '../../grants.ts'
import { AuthorStacks } from '../../source-map/author-stacks.ts'
import { whyLimited } from '../../source-map/author-view.ts'
import type { CallTarget, Outcome } from '../../wire/call.ts'
import type { Json } from '../../capabilities/json.ts'
import type { TestJob } from '../../capabilities/jobs.ts'
import type { CapabilitySeen } from '../../capabilities/table.ts'
import type { CallLog } from './call-log.ts'
import type { TestAnswer, TestCaller, TestOptions, TestPluginWithoutPages, TestRequest } from './contract.ts'
import { findRoute } from './find-route.ts'
import { grantEverything } from './grant-everything.ts'
import { callJob, type StepsAnswer } from './call-job.ts'
import { providedCall } from './provided-call.ts'
import type { ProvidedName } from './provided-name.ts'
import { testReceiver, whoOf, withTestForm } from './test-form.ts'
import { toAnswer, toErrorAnswer, type SeenAnswer } from './to-answer.ts'

const usualTenant = { id: 1, code: 'test' }
const userId = 1

/** What a plugin under test stands on. */
export interface TestPluginParts {
  readonly release: Release
  readonly sandbox: Sandbox
  readonly options: TestOptions
  readonly log: CallLog
  readonly resources: AsyncDisposableStack
}

/** What of a call differs from that of a route. */
type CallBounds = Pick<GuestCall, 'wallMs' | 'cpuMs' | 'isPure' | 'stream'>

/** A plugin in its sandbox, called the way the platform calls it; what it does to its surroundings is kept elsewhere. */
export class RunningTestPlugin implements Omit<TestPluginWithoutPages, keyof CapabilitySeen> {
  readonly name: string
  readonly version: string
  readonly #parts: TestPluginParts
  readonly #grants: Grants
  readonly #stacks = new AuthorStacks()

  constructor(parts: TestPluginParts) {
    const { release, options } = parts
    this.#parts = parts
    this.#grants = grantEverything(release, options)
    this.name = release.name
    this.version = release.version
  }

  call(handler: string, request: TestRequest = {}, caller: TestCaller = {}): Promise<TestAnswer> {
    return this.#handle(handler, request, caller, false)
  }

  async request(spelt: string, given: TestRequest = {}, caller: TestCaller = {}): Promise<TestAnswer> {
    return this.#refusing(async () => {
      const who = { ...caller, user: caller.user === undefined ? this.#everybody() : caller.user }
      const { route, isPublic, request } = findRoute(this.#parts.release.manifest, spelt, given, who)
      const bytes = Buffer.byteLength(JSON.stringify(request.body ?? null))
      const limit = route.maxBodyKb === undefined ? sandboxLimits.requestBytes.max : route.maxBodyKb * 1024
      if (bytes > limit) throw new PayloadTooLargeError({ limit })
      const bounds: CallBounds = {
        ...(route.timeoutMs === undefined ? {} : { wallMs: route.timeoutMs }),
        ...(route.stream ? { stream: () => Promise.resolve() } : {}),
      }
      const enter = (body: TestRequest): Promise<TestAnswer> =>
        this.#handle(route.handler, body, isPublic ? { ...caller, user: null } : caller, isPublic, bounds)
      if (route.body === undefined) return enter(request)
      const { services } = this.#parts.sandbox
      const receiver = testReceiver(services, this.#grants, { plugin: this.name, ...whoOf(who, isPublic) })
      return withTestForm(receiver, request, formBounds(route, this.#grants.limits), enter)
    })
  }

  async runSchedule(id: string, caller: TestCaller = {}): Promise<TestAnswer> {
    const schedule = this.#parts.release.manifest.schedules?.find((each) => each.id === id)
    if (!schedule) return missing()
    const wallMs = schedule.timeoutMs ?? sandboxLimits.scheduleWallMs.default
    const run = { id, scheduled_at: new Date().toISOString(), run_id: randomUUID(), attempt: 1 }
    const who = { ...caller, user: null, ...(schedule.perTenant ? {} : { tenant: null }) }
    return this.#enter({ kind: 'schedule', name: schedule.handler }, run, who, this.#jobBounds(wallMs))
  }

  async runJob(job: string | TestJob, input: Json = null, caller: TestCaller = {}): Promise<StepsAnswer> {
    const known = typeof job === 'string' ? { name: job, input } : job
    const declared = this.#parts.release.manifest.jobs?.find((each) => each.name === known.name)
    if (!declared) return { ...missing(), steps: 0 }
    const bounds = this.#jobBounds(declared.timeoutMs ?? sandboxLimits.jobStepMs.default)
    const target = { kind: 'job', name: declared.handler } as const
    return callJob(known, (step) => this.#enter(target, step, { ...caller, user: null }, bounds))
  }

  async callService(spelt: string, input: Json = null, caller: TestCaller = {}): Promise<TestAnswer> {
    const [service = '', name = ''] = spelt.split('.')
    const found = findServiceMethod(this.#parts.release.manifest, service, name)
    if (!found) return missing()
    return this.#refusing(() => {
      const argument: unknown = JSON.parse(found.toInput('test.plugin', input))
      const target = { kind: 'service', name: found.method.handler } as const
      return this.#enter(target, argument, { ...caller, user: null }, {}, (text) => data(found.toOutput(text)))
    })
  }

  async deliver(type: string, payload: Json, caller: TestCaller = {}): Promise<TestAnswer> {
    const listener = listenerOf(type, this.#grants.subscribe)
    if (listener === undefined) return missing()
    const event = { id: randomUUID(), type, payload, occurredAt: new Date().toISOString(), attempt: 1 }
    return this.#enter({ kind: 'event', name: listener }, event, { ...caller, user: null })
  }

  async runHook(hook: string, input: Json = {}): Promise<TestAnswer> {
    const name = this.#parts.release.manifest.hooks?.[hook as HookName]
    if (name === undefined) return missing()
    const { default: wallMs } = hook === 'uninstall' ? sandboxLimits.uninstallHookWallMs : sandboxLimits.hookWallMs
    return this.#enter({ kind: 'hook', name }, input, { tenant: null, user: null }, this.#jobBounds(wallMs))
  }

  async callTool(name: string, input: Json, caller: TestCaller = {}): Promise<TestAnswer> {
    const tool = this.#parts.release.manifest.provides?.aiTools?.find((each) => each.name === name)
    if (!tool) return missing()
    const { permission, timeoutMs } = tool
    const { user = this.#everybody() } = caller
    return this.#refusing(() => {
      if (permission !== undefined && !user?.permissions.includes(permission))
        throw new PermissionDeniedError({ permission: permissionCode(this.name, permission) })
      const check = compileToolCheck(tool)
      const argument: unknown = JSON.parse(check.toInput(input))
      const present = (text: string): Reply => data({ content: check.toContent(text) })
      const bounds = timeoutMs === undefined ? {} : { wallMs: timeoutMs }
      return this.#enter({ kind: 'tool', name: tool.handler }, argument, caller, bounds, present)
    })
  }

  async callAi(what: ProvidedName, input: Json, caller: TestCaller = {}): Promise<TestAnswer> {
    const call = providedCall(this.#parts.release.manifest, what, input)
    if (!call) return missing()
    const { target, present, ...bounds } = call
    return this.#refusing(() => this.#enter(target, input, { ...caller, user: null }, bounds, present))
  }

  captcha(step: 'challenge' | 'verify', input: Json, caller: TestCaller = {}): Promise<TestAnswer> {
    return this.#enter({ kind: 'captcha', name: step }, input, { ...caller, user: null })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.resources.disposeAsync()
  }

  #handle(
    name: string,
    given: TestRequest,
    caller: TestCaller,
    isPublic: boolean,
    bounds: CallBounds = {},
  ): Promise<TestAnswer> {
    const traceId = randomUUID()
    const request = {
      ...{ method: 'GET', path: '/', params: {}, query: {}, headers: {}, body: null },
      ...{ locale: caller.locale ?? 'en', traceId },
      ...given,
    }
    const present = (text: string): Reply => toReply(this.name, text, isPublic)
    return this.#enter({ kind: 'handler', name }, request, caller, bounds, present)
  }

  async #enter(
    target: CallTarget,
    input: unknown,
    { tenant = usualTenant, user = this.#everybody(), locale = 'en' }: TestCaller,
    bounds: CallBounds = {},
    present?: (text: string) => Reply,
  ): Promise<TestAnswer> {
    const { sandbox, release, log } = this.#parts
    const traceId = randomUUID()
    // A test that meets one limit after the other means to: the breaker would answer in the plugin's place.
    sandbox.reset(release.name)
    const call = { release, grants: this.#grants, target, input: JSON.stringify(input), locale, traceId, ...bounds }
    const outcome = await sandbox.call({ ...call, tenant: tenant ?? undefined, user: user ?? undefined })
    const { cpuMs, wallMs, hostCalls } = outcome
    const seen = this.#see(outcome, present)
    const stack = await this.#stackOf(outcome)
    const cost = { cpuMs, wallMs, hostCalls }
    return { ...seen, ...(stack === undefined ? {} : { stack }), cost, logs: log.take(traceId) }
  }

  #see(outcome: Outcome, present: ((text: string) => Reply) | undefined): SeenAnswer {
    try {
      if (!outcome.ok) throw outcomeError(this.name, outcome)
      if (present) return toAnswer(present(outcome.value))
      return { status: 200, code: 0, headers: {}, data: JSON.parse(outcome.value) as Json }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { ...toErrorAnswer(error), ...(typeof error.cause === 'string' ? { stack: error.cause } : {}) }
    }
  }

  async #stackOf(outcome: Outcome): Promise<string | undefined> {
    if (outcome.ok) return undefined
    if (outcome.kind === 'load') return outcome.stack ?? outcome.message
    if (outcome.kind === 'invalid') return outcome.message
    const stack = outcome.kind === 'threw' ? outcome.error.stack : whyLimited(outcome)
    return stack === undefined ? undefined : this.#stacks.map(this.#parts.release, stack)
  }

  async #refusing(work: () => TestAnswer | Promise<TestAnswer>): Promise<TestAnswer> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof AppError) return refusal(error)
      throw error
    }
  }

  #jobBounds(wallMs: number): CallBounds {
    const { limits } = this.#parts.options
    const most = (name: 'wallMs' | 'cpuMs', usual: number): number => Math.min(usual, limits?.[name] ?? usual)
    return { wallMs: most('wallMs', wallMs), cpuMs: most('cpuMs', sandboxLimits.jobCpuMs.default) }
  }

  #everybody(): { readonly id: number; readonly permissions: readonly string[] } {
    const { permissions = [] } = this.#parts.release.manifest
    return { id: userId, permissions: permissions.map(({ code }) => code) }
  }
}

function missing(): TestAnswer {
  return refusal(new NotFoundError())
}

function refusal(error: AppError): TestAnswer {
  return { ...toErrorAnswer(error), cost: { cpuMs: 0, wallMs: 0, hostCalls: 0 }, logs: [] }
}
