import type { IndexFinding } from './index-finding.ts'

/** What an index does not take, or what is no index; nothing was written. */
export class IndexRefusal extends Error {
  override readonly name = 'IndexRefusal'
  /** What speaks against it, where that can be listed. */
  readonly findings: readonly IndexFinding[]

  constructor(message: string, findings: readonly IndexFinding[] = []) {
    super(message)
    this.findings = findings
  }
}
