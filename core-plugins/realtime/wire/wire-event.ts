import type { EventRef, Schema } from '#kernel'
import type { Namespace } from '../connections/keys.ts'
import type { PluginDirectory, PluginRuntime } from '../../plugins/contract.ts'

/** What an event becomes for those under a key. */
export interface Told {
  readonly key: string
  readonly data: Readonly<Record<string, unknown>>
  /** Only for those who hold one of these roles when it comes. */
  readonly roles?: readonly string[]
}

/** What is asked for what an event does not say itself. */
export interface WireSources {
  readonly plugins: PluginRuntime
  readonly directory: PluginDirectory
}

/** One event as clients get it, and where it comes from. */
export interface WireEvent<P = never> {
  readonly name: string
  readonly namespace: Namespace
  readonly summary: string
  /** Of its `data`. */
  readonly data: Schema
  /** What its reader must hold at the moment of delivery, each of them; nothing where it is for everybody of the namespace. */
  readonly permissions?: readonly string[]
  /** The end of the connection follows it, and nobody is asked whether they may hear it. */
  readonly isFarewell?: boolean
  readonly from: EventRef<P>
  tell(payload: P, sources: WireSources): readonly Told[] | Promise<readonly Told[]>
}

/** Declares an event; what it comes from gives `tell` its type. */
export function wireEvent<P>(event: WireEvent<P>): WireEvent {
  return event as unknown as WireEvent
}

/** A schema of an object with these members, all of them. */
export function membersOf<const M extends Readonly<Record<string, object>>>(properties: M): Schema {
  return { type: 'object', required: Object.keys(properties), properties } as unknown as Schema
}

/** Schemas of members that many events have. */
export const member = {
  text: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
  number: { type: 'integer' },
  maybeNumber: { type: ['integer', 'null'] },
  uuid: { type: 'string', format: 'uuid' },
  maybeText: { type: ['string', 'null'] },
} as const
