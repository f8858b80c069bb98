import type { ConfigCheck, ConfigObjection, ConfigProposal } from '../contract-extensions.ts'
import { registerIn, type Registered } from './register-in.ts'

/** The rules that no single value shows. */
export class Checks {
  readonly #checks = new Set<Registered<ConfigCheck>>()

  register(check: ConfigCheck): Disposable {
    return registerIn(this.#checks, check)
  }

  /** What speaks against a proposal; nothing does when it changes nothing. */
  async ask(proposal: ConfigProposal): Promise<readonly ConfigObjection[]> {
    if (proposal.keys.length === 0) return []
    const asked = [...this.#checks].filter(({ entry }) => entry.groups.includes(proposal.group))
    const answers = await Promise.all(asked.map(async ({ entry }) => entry.check(proposal)))
    return answers.flat()
  }
}
