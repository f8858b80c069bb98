import path from 'node:path'

/** The code of one release, as the supervisor tells of it. */
export interface GuestCode {
  /** `name@treeHash`. */
  readonly id: string
  readonly plugin: string
  /** The entry module. */
  readonly main: string
  /** Paths of all files. */
  readonly files: readonly string[]
  /** Modules of the host that it may import. */
  readonly hostModules: readonly string[]
  readonly memoryMb: number
}

/** What a module of the host is called among files, of which none has a colon. */
const host = 'host:'

/** The module of the host that a file is, if it is one. */
export function hostModuleOf(file: string): string | undefined {
  return file.startsWith(host) ? file.slice(host.length) : undefined
}

/** Has the supervisor read a file, which checks that it is what was installed. */
export type AskForSource = (codeId: string, file: string) => Promise<string>

/** The module files of one release: listed ones and modules of the host that it declares, each asked for once. */
export class SourceFiles {
  readonly #code: GuestCode
  readonly #names: ReadonlySet<string>
  readonly #ask: AskForSource
  readonly #texts = new Map<string, Promise<string>>()

  constructor(code: GuestCode, ask: AskForSource) {
    this.#code = code
    this.#names = new Set(code.files)
    this.#ask = ask
  }

  /** The listed file that a specifier means, seen from another, or the module of the host. */
  resolve(specifier: string, from: string): string {
    if (this.#code.hostModules.includes(specifier)) return host + specifier
    if (hostModuleOf(from) !== undefined || !/^\.{1,2}\//.test(specifier))
      throw new Error(`cannot import "${specifier}": a release imports its own files and its hostModules only`)
    const file = path.posix.join(path.posix.dirname(from), specifier)
    if (!this.#names.has(file)) throw new Error(`cannot import "${specifier}": no such file in the release`)
    return file
  }

  /** Rejects when the release does not list the file, or when it was changed. */
  read(file: string): Promise<string> {
    const text = this.#texts.get(file) ?? this.#ask(this.#code.id, file)
    this.#texts.set(file, text)
    return text
  }
}
