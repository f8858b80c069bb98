import type { Ctx } from './ctx.ts'
import type { Db } from './database.ts'
import type { Json } from '../capabilities/json.ts'
import type { SubscribedType } from '../capabilities/names.ts'
import type { AiRouter } from './provided-gateway.ts'
import type { AiTool, Captcha } from './provided.ts'
import type { PluginRequest, PluginResponse } from './request.ts'

/**
 * Answers a route: 1 s of CPU and 10 s in all, unless granted otherwise; at most 200 host calls, 16 at a time. `Body` is what
 * the handler takes the body for: nobody has checked it.
 */
// Of a method's type, so that handlers of different bodies fit into one list.
export type Handler<Body = unknown> = {
  handle(
    request: PluginRequest<Body>,
    ctx: Ctx,
    db: Db,
  ): Promise<PluginResponse | Json | void> | PluginResponse | Json | void
}['handle']

/** Runs once in the plugin's life, at the moment the manifest names: 10 s of CPU and 30 s in all. */
export type Hook = (input: Json, ctx: Ctx, db: Db) => Promise<Json | void> | Json | void

/** An event as a listener gets it. */
export interface PluginEvent {
  /** The same at every attempt and on every host: what was done for an id before is not done again. */
  readonly id: string
  readonly type: string
  readonly payload: Json
  /** When it was published, in ISO 8601. */
  readonly occurredAt: string
  /** 1 for the first; an event is set aside after the eighth. */
  readonly attempt: number
}

/**
 * Hears of an event that the manifest subscribes to, at least once and in order for each tenant: 1 s of CPU and 10 s in all.
 * Throwing asks for it again, later and later; the events behind it wait.
 */
export type EventListener = (event: PluginEvent, ctx: Ctx, db: Db) => Promise<void> | void

/** One run of a schedule. */
export interface ScheduledRun {
  /** The schedule's id in the manifest. */
  readonly id: string
  /** The time it was meant for, in ISO 8601: later runs that were missed are made up for by one. */
  readonly scheduled_at: string
  /** The same when a run that was lost with its host is repeated: what was done for it before is not done again. */
  readonly run_id: string
  /** 1 for the first; a lost run is repeated until the third. */
  readonly attempt: number
}

/**
 * Runs at the times the manifest states, once across all hosts and never twice at once: 10 s of CPU and 60 s in all, unless
 * granted otherwise. `ctx.tenant` is set for a `perTenant` schedule. A time that comes while it still runs is left out. What
 * it throws is recorded; the next time comes all the same.
 */
export type ScheduleHandler = (run: ScheduledRun, ctx: Ctx, db: Db) => Promise<void> | void

/** One step of a job. */
export interface JobStep<Input = Json, State = Json> {
  /** The same in all its steps and attempts. */
  readonly id: string
  /** As in the manifest. */
  readonly name: string
  readonly input: Input
  /** What the step before returned as `next`; `null` in the first. */
  readonly state: State | null
  /** 1 for the first; the same when a step is repeated. */
  readonly step: number
  /** 1 for the first attempt at this step; a step is tried five times, later and later. */
  readonly attempt: number
}

/** A step that asks for another one. */
export interface JobNext<State = Json> {
  /** What the next step gets as `state`; at most 64 KB. */
  readonly next: State
  /** Of 100. */
  readonly progress?: number
  /** At most 200 characters, for whoever waits. */
  readonly text?: string
  /** Milliseconds until then, an hour at most. */
  readonly delay?: number
}

/**
 * Does a job of the manifest, step by step: 10 s of CPU and 60 s in all for a step, an hour for all of them, ten minutes of CPU a day for
 * all jobs of the plugin in a tenant; what is beyond waits for the next day. Returning `{ next }` asks for another step, anything else
 * is the result. A step may be repeated when its host dies: do nothing twice for one `id` and `step`. `Input` and `State` are what it takes its input
 * and its `next` for.
 */
export type JobHandler<Input = Json, State = Json> = {
  run(
    job: JobStep<Input, State>,
    ctx: Ctx,
    db: Db,
  ): Promise<JobNext<State> | Json | void> | JobNext<State> | Json | void
}['run']

/** A call of another plugin, held to the method's schema. */
export interface ServiceRequest<Input = Json> {
  readonly input: Input
  /** The plugin that asks. */
  readonly from: string
}

/** Answers a method of a service for another plugin, in that plugin's tenant and without a user; held to the `output` of the method. */
export type ServiceHandler<Input = Json> = {
  serve(request: ServiceRequest<Input>, ctx: Ctx, db: Db): Promise<Json | void> | Json | void
}['serve']

/** A job of any input and state. */
type AnyJob = {
  run(job: JobStep<never, never>, ctx: Ctx, db: Db): Promise<JobNext | Json | void> | JobNext | Json | void
}['run']

/** A function whose input follows from what it is named for in the manifest. */
type Mapping = (input: never, ctx: Ctx, db: Db) => unknown

/**
 * What a plugin does, under the names its manifest uses. A name is looked for in the section it belongs to and then among
 * the handlers, as an own property.
 */
export interface PluginDefinition {
  readonly handlers?: Readonly<Record<string, Handler>>
  readonly hooks?: Readonly<Record<string, Hook>>
  readonly events?: { readonly [Type in SubscribedType]?: EventListener }
  readonly schedules?: Readonly<Record<string, ScheduleHandler>>
  readonly jobs?: Readonly<Record<string, AnyJob>>
  /** The methods of all services it provides. */
  readonly services?: Readonly<Record<string, ServiceHandler<never>>>
  readonly aiTools?: Readonly<Record<string, AiTool<never>>>
  /** The mappings of all its AI providers; write each as one of `AiProviderMappings`, or of `AiVectorMappings`. */
  readonly aiProviders?: Readonly<Record<string, Mapping>>
  /** The functions of all its AI guardrails, each an `AiGuardrailText` or an `AiGuardrailStream`. */
  readonly aiGuardrails?: Readonly<Record<string, Mapping>>
  /** Its AI routers. */
  readonly aiRouters?: Readonly<Record<string, AiRouter>>
  /** The functions of all its storage drivers; write each as one of `StorageDriverHandlers`. */
  readonly storageDrivers?: Readonly<Record<string, Mapping>>
  readonly captcha?: Captcha
}

/** Gives back what it is given, typed: the default export of a plugin's main module. */
export function definePlugin<const Definition extends PluginDefinition>(definition: Definition): Definition {
  return definition
}
