import type { Logger } from '../../kernel/log.ts'

/** A logger whose lines a test can read: the level and the sentence. */
export function recordingLog(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = []
  const write =
    (level: string) =>
    (_fields: object, message: string): void =>
      void lines.push(`${level}: ${message}`)
  const log: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => log,
  }
  return { log, lines }
}
