import type { IndexFinding } from './index-finding.ts'

/** Why an index does not take something, where a program has to tell it apart. */
export type RefusalRule = 'release_unknown' | 'yanked_already' | 'version_seen' | 'revoked_already'

/** What an index does not take, or what is no index; nothing was written. */
export class IndexRefusal extends Error {
  override readonly name = 'IndexRefusal'
  /** What speaks against it, where that can be listed. */
  readonly findings: readonly IndexFinding[]
  readonly rule: RefusalRule | undefined

  constructor(message: string, findings: readonly IndexFinding[] = [], rule?: RefusalRule) {
    super(message)
    this.findings = findings
    this.rule = rule
  }
}
