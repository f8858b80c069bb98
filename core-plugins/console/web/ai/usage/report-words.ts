import { say } from '../../tab/i18n.ts'

/** Where reports are read and asked for. */
export const reportsPath = '/admin/ai/usage/reports'

/** How often a report is made again, as cron says it; other schedules come by the API. */
export const repeats: ReadonlyMap<string, string> = new Map([
  ['daily', '0 6 * * *'],
  ['weekly', '0 6 * * 1'],
  ['monthly', '0 6 1 * *'],
])

/** When it is made again, in words where there are any; '' where it is not. */
export function repeatOf(cron: string | null | undefined): string {
  if (!cron) return ''
  const known = [...repeats].find(([, each]) => each === cron)
  return known ? say(`ai.repeats.${known[0]}`) : cron
}
