/** Something in a plugin that could be better, with where it is and how to mend it. */
export interface Finding {
  /** An error keeps the plugin from working; a warning is for its author to weigh. */
  readonly level: 'error' | 'warning'
  readonly rule: string
  /** Relative to the plugin's folder. */
  readonly file: string
  readonly line: number
  readonly message: string
}

/** A finding in one line, as editors read it. */
export function describeFinding({ level, rule, file, line, message }: Finding): string {
  return `${file}:${line} ${level} ${rule}: ${message}`
}
