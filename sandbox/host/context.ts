import { randomBytes } from 'node:crypto'

import ivm from 'isolated-vm'

import type { GuestCall } from './guest-call.ts'
import type { SourceFiles } from '../wire/source-files.ts'

const entropyBytes = 40

/** What the guest may say through its one way out; anything of another shape is dropped. */
export type Post = (callId: number, kind: string, number: number, first: string, second: string) => void

type Entrance = ivm.Reference<(...parameters: (string | number | boolean)[]) => void>

/** What a context is made of. */
interface ContextParts {
  readonly isolate: ivm.Isolate
  readonly files: SourceFiles
  readonly main: string
  readonly glue: string
  readonly post: Post
  readonly timeoutMs: number
}

/** The world of one tenant in the isolate of one release. It holds no object of isolated-vm and one function of ours. */
export class GuestContext {
  readonly calls = new Map<number, GuestCall>()
  /** No call enters any more: one of them ran into a limit in here. */
  isRetired = false
  readonly #context: ivm.Context
  readonly #invoke: Entrance
  readonly #answer: Entrance
  readonly #grant: Entrance

  private constructor(context: ivm.Context, invoke: Entrance, answer: Entrance, grant: Entrance) {
    this.#context = context
    this.#invoke = invoke
    this.#answer = answer
    this.#grant = grant
  }

  /** Throws what the plugin's module throws at its top level, or when it is no plugin. */
  static async create(parts: ContextParts): Promise<GuestContext> {
    const { isolate, timeoutMs } = parts
    const context = await isolate.createContext()
    try {
      const glue = await isolate.compileModule(parts.glue, { filename: 'stoa:guest' })
      await glue.instantiate(context, () => {
        throw new Error('the glue imports nothing')
      })
      await glue.evaluate({ timeout: timeoutMs })
      const entrance = (name: string): Promise<Entrance> =>
        glue.namespace.get(name, { reference: true }) as Promise<Entrance>
      const [start, load, invoke, answer, grant] = (await Promise.all(
        ['start', 'load', 'invoke', 'answer', 'grant'].map(entrance),
      )) as [Entrance, Entrance, Entrance, Entrance, Entrance]
      await start.apply(undefined, [
        new ivm.Callback(checked(parts.post), { ignored: true }) as unknown as string,
        randomBytes(entropyBytes).toString('hex'),
      ])
      const module = await loadModule(parts, context)
      const complaint: unknown = await load.apply(undefined, [module.namespace.derefInto() as unknown as string], {
        timeout: timeoutMs,
      })
      if (complaint !== '') throw new Error(String(complaint))
      return new GuestContext(context, invoke, answer, grant)
    } catch (error) {
      if (!isolate.isDisposed) context.release()
      throw error
    }
  }

  invoke(call: GuestCall, timeout: number): Promise<void> {
    const { id, header, input, ctx } = call
    call.hasEntered = true
    return this.#invoke.apply(undefined, [id, header.entry, input, ctx], { timeout })
  }

  answer({ id }: GuestCall, number: number, isOk: boolean, value: string, timeout: number): Promise<void> {
    return this.#answer.apply(undefined, [id, number, isOk, value], { timeout })
  }

  /** There is room for the message that the call asked it for. */
  grant({ id }: GuestCall, timeout: number): Promise<void> {
    return this.#grant.apply(undefined, [id], { timeout })
  }

  release(): void {
    for (const entrance of [this.#invoke, this.#answer, this.#grant]) entrance.release()
    this.#context.release()
  }
}

async function loadModule(
  { isolate, files, main, timeoutMs }: ContextParts,
  context: ivm.Context,
): Promise<ivm.Module> {
  const modules = new Map<string, ivm.Module>()
  const names = new Map<ivm.Module, string>()
  const compile = async (file: string): Promise<ivm.Module> => {
    const known = modules.get(file)
    if (known) return known
    const module = await isolate.compileModule(await files.read(file), { filename: `plugin:${file}` })
    modules.set(file, module)
    names.set(module, file)
    return module
  }
  const module = await compile(main)
  await module.instantiate(context, (specifier, referrer) =>
    compile(files.resolve(specifier, names.get(referrer) ?? main)),
  )
  await module.evaluate({ timeout: timeoutMs })
  return module
}

function checked(post: Post): (...values: unknown[]) => void {
  return (callId, kind, number, first, second) => {
    if (typeof callId !== 'number' || typeof kind !== 'string' || typeof number !== 'number') return
    if (typeof first === 'string' && typeof second === 'string') post(callId, kind, number, first, second)
  }
}
