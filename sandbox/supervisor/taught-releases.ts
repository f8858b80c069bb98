import { loadHostModule } from '../host-modules/load-host-module.ts'
import { hostModuleOf, type GuestCode } from '../wire/source-files.ts'
import type { Code } from '../wire/call.ts'
import type { Channel } from '../wire/channel.ts'
import { readSource } from './release-source.ts'

/** The releases that a sandbox host was told of. It may read no file: it asks for the modules it needs. */
export class TaughtReleases {
  readonly #channel: Channel
  readonly #codes = new Map<string, Code>()
  /** The plugins that ran in it, with the bytes of their heap when last looked at. */
  readonly heaps = new Map<string, number | undefined>()

  constructor(channel: Channel) {
    this.#channel = channel
  }

  /** Tells the host of a release, once. */
  teach(code: Code): void {
    if (!this.heaps.has(code.plugin)) this.heaps.set(code.plugin, undefined)
    if (this.#codes.has(code.id)) return
    this.#codes.set(code.id, code)
    const { id, plugin, main, files, hostModules = [], memoryMb } = code
    const told: GuestCode = { id, plugin, main, files: Object.keys(files), hostModules, memoryMb }
    this.#channel.send('code', 0, JSON.stringify(told))
  }

  /** Has the host forget a release. */
  drop(codeId: string): void {
    if (this.#codes.delete(codeId)) this.#channel.send('drop', 0, codeId)
    this.heaps.delete(codeId.slice(0, codeId.indexOf('@')))
  }

  /** The host tells what a plugin holds; of one that was dropped meanwhile nothing is kept. */
  measured(plugin: string, bytes: number): void {
    if (this.heaps.has(plugin)) this.heaps.set(plugin, bytes)
  }

  /** Answers a request for a file or a module of the host: never for another than the release lists. */
  async bring(number: number, codeId: string, file: string): Promise<void> {
    const code = this.#codes.get(codeId)
    try {
      if (!code) throw new Error('the release was dropped')
      this.#channel.send('source', number, '1', await bringText(code, file))
    } catch (error) {
      this.#channel.send('source', number, '0', error instanceof Error ? error.message : String(error))
    }
  }
}

function bringText(code: Code, file: string): Promise<string> {
  const name = hostModuleOf(file)
  if (name === undefined) return readSource(code, file)
  if (code.hostModules?.includes(name)) return loadHostModule(name)
  throw new Error(`${name} is not among the release's hostModules`)
}
