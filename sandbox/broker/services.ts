import { AppError } from '#kernel'
import type { Json } from '../capabilities/json.ts'
import type { TestServiceCall } from '../capabilities/services.ts'
import type { GuestTenant } from '../grants.ts'
import { textOf } from './argument.ts'
import type { CapabilityOperations } from './capability.ts'
import type { Provider } from './provider.ts'
import { Refusal } from './refusal.ts'

/** A call of one plugin to another. */
export interface ServiceCall {
  /** Who asks. */
  readonly plugin: string
  /** Undefined = the platform. */
  readonly tenant: GuestTenant | undefined
  /** `acme.crm`. */
  readonly provider: string
  /** `contacts`. */
  readonly service: string
  /** The versions that the asking plugin was granted. */
  readonly range: string
  readonly method: string
  readonly input: unknown
  /** How many calls and events in a row led to it, this one included. */
  readonly hop: number
  readonly traceId: string
  readonly signal: AbortSignal
}

/** What of the platform brings plugins together. */
export interface ServicesServices {
  /** Answers the JSON of the method; undefined where nobody provides it for the tenant. */
  readonly callService: (call: ServiceCall) => Promise<unknown>
}

/** Services of other plugins; in a test they are answered from a table, and held to their schemas where those are known. */
export const services: Provider<ServicesServices> = {
  create: ({ services: { callService }, grants }) => createServicesCapability(grants.uses, callService),
  fake({ given: { services: given = {} }, findMethod }) {
    const answers: Readonly<Record<string, Json | ((input: Json) => Json) | undefined>> = given
    const asked: TestServiceCall[] = []
    const callService = ({ plugin, provider, service, method, input }: ServiceCall): Promise<unknown> => {
      asked.push({ service: `${provider}/${service}`, method, input: input as Json })
      const name = `${provider}/${service}.${method}`
      const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
      const known = findMethod?.(provider, service, method)
      if (answer === undefined || known === 'absent') return Promise.resolve(undefined)
      if (!known) return Promise.resolve(typeof answer === 'function' ? answer(input as Json) : answer)
      const taken = (JSON.parse(known.toInput(plugin, input)) as { readonly input: Json }).input
      const given = typeof answer === 'function' ? answer(taken) : answer
      return Promise.resolve(heldTo(name, () => known.toOutput(JSON.stringify(given))))
    }
    return { services: { callService }, seen: { asked } }
  },
}

/** Says of a test's own answer what does not fit, which no plugin would be told. */
function heldTo(name: string, check: () => unknown): unknown {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const why = error.errors?.map(({ field, message }) => `${field} ${message}`.trim()).join(', ')
    throw new Refusal(
      'upstream',
      'service_answer_invalid',
      `The test's answer of ${name} does not fit: ${why ?? 'it is too large'}`,
    )
  }
}

function createServicesCapability(
  uses: Readonly<Record<string, string>>,
  callService: ServicesServices['callService'],
): CapabilityOperations {
  return {
    capability: 'services:use',
    operations: {
      async 'services.call'(argument, { plugin, tenant, hop, limits, traceId }, signal) {
        const name = textOf(argument, 'service')
        const method = textOf(argument, 'method')
        const range = Object.hasOwn(uses, name) ? uses[name] : undefined
        if (range === undefined)
          throw new Refusal('forbidden', 'service_not_granted', 'This service was not declared and granted')
        if (hop + 1 > limits.eventHops) {
          throw new Refusal(
            'conflict',
            'service_loop',
            `Calls led to calls more than ${limits.eventHops} times in a row`,
          )
        }
        const [provider = '', service = ''] = name.split('/')
        const call = {
          plugin,
          tenant,
          provider,
          service,
          range,
          method,
          input: argument['input'] ?? null,
          hop: hop + 1,
          traceId,
          signal,
        }
        const answer = await callService(call)
        if (answer === undefined)
          throw new Refusal('unavailable', 'service_unavailable', `${name} is not provided here`)
        return answer
      },
    },
  }
}
