import { defineService } from '#kernel'

/** A plugin's call of an AI model, on the quota of the tenant and with the user as its actor. */
export interface AiInvocation {
  readonly plugin: string
  /** Undefined = the platform. */
  readonly tenant: { readonly id: number; readonly code: string } | undefined
  /** Undefined where no user led to the call. */
  readonly userId: number | undefined
  readonly request: Readonly<Record<string, unknown>>
  readonly traceId: string
  readonly signal: AbortSignal
}

/** Answers plugins that call an AI model with plain JSON; an AppError it throws is told to the plugin by its status. */
export type AiInvoker = (invocation: AiInvocation) => Promise<unknown>

/** Where whoever runs AI models says that plugins may call them. */
export interface AiInvokers {
  /** Answers plugins until the result is disposed; the last one registered answers. */
  register(invoker: AiInvoker): Disposable
}

/** Where whoever runs AI models says that plugins may call them. */
export const aiInvokers = defineService<AiInvokers>('plugins.ai_invokers')
