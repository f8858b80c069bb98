import type { CapabilityCtx, CapabilitySeen } from '../capabilities/table.ts'
import { ai, type AiServices } from './ai.ts'
import { attachments, type AttachmentsServices } from './attachments.ts'
import { cache, type CacheServices } from './cache.ts'
import type { CapabilityOperations } from './capability.ts'
import { config, type ConfigServices } from './config.ts'
import { database, type DatabaseServices } from './database.ts'
import { events, type EventsServices } from './events.ts'
import { http, type HttpServices } from './http.ts'
import { jobs, type JobsServices } from './jobs.ts'
import { mail, type MailServices } from './mail.ts'
import { notify, type NotifyServices } from './notify.ts'
import type { FakeSurroundings, ProviderParts } from './provider.ts'
import { services, type ServicesServices } from './services.ts'
import { storage, type StorageServices } from './storage.ts'
import { stream, type StreamServices } from './stream.ts'
import { users, type UsersServices } from './users.ts'

/** What guests ask of other parts of the platform. */
export interface PlatformServices
  extends
    NotifyServices,
    MailServices,
    UsersServices,
    AiServices,
    AttachmentsServices,
    JobsServices,
    ServicesServices {}

/** What the capabilities need of the platform. */
export interface CapabilityServices
  extends
    HttpServices,
    StorageServices,
    ConfigServices,
    CacheServices,
    EventsServices,
    DatabaseServices,
    StreamServices,
    PlatformServices {}

/** What answers the functions of each member of `ctx`, and those of `db`. */
const providers = {
  http,
  storage,
  config,
  cache,
  events,
  db: database,
  notify,
  users,
  ai,
  attachments,
  jobs,
  mail,
  services,
  stream,
} satisfies Readonly<Record<keyof CapabilityCtx | 'db', object>>

/** Every operation of one plugin, closed over what the administrator granted. */
export function createCapabilities(parts: ProviderParts<CapabilityServices>): CapabilityOperations[] {
  return Object.values(providers).flatMap((provider) => provider.create(parts))
}

/** What stands in for the platform while an author tests a plugin. */
export function createFakes(surroundings: FakeSurroundings): {
  readonly services: CapabilityServices
  readonly seen: CapabilitySeen
} {
  const fakes = Object.values(providers).map((provider) => provider.fake(surroundings))
  return {
    services: Object.assign({}, ...fakes.map(({ services }) => services)) as CapabilityServices,
    seen: Object.assign({}, ...fakes.map(({ seen }) => seen)) as CapabilitySeen,
  }
}
