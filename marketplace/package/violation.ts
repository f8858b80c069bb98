/** The rules an archive can break; the slug in `details.rule`. */
export type PackageRule =
  | 'size'
  | 'end_record'
  | 'zip64'
  | 'disk'
  | 'comment'
  | 'count'
  | 'central_directory'
  | 'local_header'
  | 'layout'
  | 'flags'
  | 'version'
  | 'method'
  | 'extra_field'
  | 'mode'
  | 'path'
  | 'path_length'
  | 'path_depth'
  | 'duplicate'
  | 'top_level'
  | 'file_size'
  | 'total_size'
  | 'ratio'
  | 'missing'
  | 'inflate'
  | 'checksum'
  | 'time_limit'
  | 'locale'
  | 'icon'

/** How an archive breaks a rule. In the process that opens packages failure is a value, because it crosses to another one. */
export interface Violation {
  readonly rule: PackageRule
  readonly problem: string
  readonly path?: string
}

/** Carries a violation up the stack of the opening process. */
export class ViolationError extends Error {
  readonly violation: Violation

  constructor(rule: PackageRule, problem: string, path?: string) {
    super(problem)
    this.violation = path === undefined ? { rule, problem } : { rule, problem, path }
  }
}
