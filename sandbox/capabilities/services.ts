import type { Json } from './json.ts'
import type { UsedService } from './names.ts'
import type { CapabilityRow, CtxMembers } from './row.ts'

/** What other plugins do for this one. */
interface Services {
  /**
   * Calls a method of a service that the manifest's `uses` names, such as `call('acme.crm/contacts', 'find', { id: 7 })`, in the calling
   * tenant. Fails with `unavailable` and the reason `service_unavailable` where the other plugin does not run for the tenant or provides another
   * version, `invalid` for an input that is not as its schema says, `conflict` for calls that lead to calls more than 8 times; what the other
   * plugin throws as a PluginError comes as it is. `Output` is what its schema says: `call<Contact | null>(…)`.
   */
  call<Output = Json>(service: UsedService, method: string, input?: Json): Promise<Output>
}

/** What of `ctx` leads to other plugins. */
export interface ServicesCtx {
  /** Needs the capability `services:use`. */
  readonly services: Services
}

/** A call of another plugin's service in a test. */
export interface TestServiceCall {
  readonly service: string
  readonly method: string
  readonly input: Json
}

/** What other plugins answer in a test. */
export interface ServicesGiven {
  /** `acme.crm/contacts.find` → its answer, or what makes one of the input; other calls fail with `service_unavailable`. */
  readonly services?: Readonly<Record<string, Json | ((input: Json) => Json)>>
}

/** What other plugins were asked for in a test. */
export interface ServicesSeen {
  readonly asked: readonly TestServiceCall[]
}

/** The member of `ctx` that leads to other plugins. */
export const servicesCtx: CtxMembers<ServicesCtx> = {
  services: {
    by: ['services:use'],
    open: (send) => ({
      call: (service, method, input) => send('services.call', { service, method, input: input ?? null }),
    }),
    saving: ['call'],
    isElsewhere: true,
  },
}

/** What plugins do for one another. */
export const services = {
  'services:use': {
    section: { field: 'uses', isPresent: ({ uses = {} }) => Object.keys(uses).length > 0, isNeeded: true },
    detail: ({ uses = {} }) => ({ uses }),
    called: /\bservices!?\??\.call\s*\(/,
  },
  'services:provide': {
    section: {
      field: 'provides.services',
      isPresent: ({ provides: { services = [] } = {} }) => services.length > 0,
      isNeeded: true,
    },
    detail: ({ provides: { services = [] } = {} }) => ({
      services: services.map(({ name, version, methods }) => ({
        name,
        version,
        methods: methods.map(({ name, effect = 'read' }) => ({ name, effect })),
      })),
    }),
  },
} as const satisfies Readonly<Record<string, CapabilityRow>>
