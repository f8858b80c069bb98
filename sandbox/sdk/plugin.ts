import type { Ctx } from './ctx.ts'
import type { Db } from './database.ts'
import type { Json } from './json.ts'
import type { PluginRequest, PluginResponse } from './request.ts'

/** Answers a route: 1 s of CPU and 10 s in all, unless granted otherwise; at most 200 host calls, 16 at a time. */
export type Handler<Body = unknown> = (
  request: PluginRequest<Body>,
  ctx: Ctx,
  db?: Db,
) => Promise<PluginResponse | Json | void> | PluginResponse | Json | void

/** Runs once in the plugin's life, at the moment the manifest names: 10 s of CPU and 30 s in all. */
export type Hook = (input: Json, ctx: Ctx, db?: Db) => Promise<Json | void> | Json | void

/** Hears of an event that the manifest subscribes to, at least once and in order; throwing asks for it again. */
export type EventListener = (
  event: { readonly id: string; readonly type: string; readonly payload: Json },
  ctx: Ctx,
  db?: Db,
) => Promise<void> | void

/** Runs at the times the manifest states, never twice at once: 10 s of CPU and 60 s in all. */
export type ScheduleHandler = (input: Json, ctx: Ctx, db?: Db) => Promise<void> | void

/** Answers a call of an AI model with what the model should read. */
export type AiTool = (
  input: Json,
  ctx: Ctx,
  db?: Db,
) => Promise<{ readonly content: Json }> | { readonly content: Json }

/** A captcha of the plugin's own; its functions stand among the handlers. */
export interface Captcha {
  challenge(
    input: { readonly action: string; readonly difficulty: number },
    ctx: Ctx,
  ): Promise<{ readonly challenge: Json; readonly state: Json }>
  verify(
    input: { readonly solution: Json; readonly state: Json },
    ctx: Ctx,
  ): Promise<{ readonly valid: boolean; readonly score?: number }>
}

/**
 * What a plugin does, under the names its manifest uses. A name is looked for in the section it belongs to and then among
 * the handlers, as an own property.
 */
export interface PluginDefinition {
  readonly handlers?: Readonly<Record<string, Handler<never>>>
  readonly hooks?: Readonly<Record<string, Hook>>
  readonly events?: Readonly<Record<string, EventListener>>
  readonly schedules?: Readonly<Record<string, ScheduleHandler>>
  readonly aiTools?: Readonly<Record<string, AiTool>>
  readonly captcha?: Captcha
}

/** Gives back what it is given, typed: the default export of a plugin's main module. */
export function definePlugin<const Definition extends PluginDefinition>(definition: Definition): Definition {
  return definition
}
