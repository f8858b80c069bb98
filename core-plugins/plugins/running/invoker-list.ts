import type { AiInvocation, AiInvoker, AiInvokers } from '../contract-invokers.ts'

/** Who answers plugins that call an AI model: the last one registered, nobody while there is none. */
export class InvokerList implements AiInvokers {
  readonly #invokers: AiInvoker[] = []

  register(invoker: AiInvoker): Disposable {
    this.#invokers.push(invoker)
    return {
      [Symbol.dispose]: () => {
        const index = this.#invokers.lastIndexOf(invoker)
        if (index !== -1) this.#invokers.splice(index, 1)
      },
    }
  }

  /** Undefined while nobody answers. */
  invoke(invocation: AiInvocation): Promise<unknown> | undefined {
    return this.#invokers.at(-1)?.(invocation)
  }
}
