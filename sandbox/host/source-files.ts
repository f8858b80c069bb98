import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'

import type { Code } from '../supervisor/call.ts'

/** The module files of one release: listed ones only, each read once and checked against its hash. */
export class SourceFiles {
  readonly #code: Code
  readonly #texts = new Map<string, string>()

  constructor(code: Code) {
    this.#code = code
  }

  /** The listed file that a specifier means, seen from another; relative ones only, since nothing else is in a release. */
  resolve(specifier: string, from: string): string {
    if (!/^\.{1,2}\//.test(specifier))
      throw new Error(`cannot import "${specifier}": a release imports its own files only`)
    const file = path.posix.join(path.posix.dirname(from), specifier)
    if (!Object.hasOwn(this.#code.files, file))
      throw new Error(`cannot import "${specifier}": no such file in the release`)
    return file
  }

  read(file: string): string {
    const known = this.#texts.get(file)
    if (known !== undefined) return known
    const expected = Object.hasOwn(this.#code.files, file) ? this.#code.files[file] : undefined
    if (expected === undefined) throw new Error(`${file} is not in the release`)
    const bytes = readFileSync(path.join(this.#code.directory, file))
    if (createHash('sha256').update(bytes).digest('hex') !== expected)
      throw new Error(`${file} is not what was installed`)
    const source = bytes.toString('utf8')
    this.#texts.set(file, source)
    return source
  }
}
