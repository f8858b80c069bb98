/** The day of a moment where the reader is, as a date field has it; '' for none. */
export function dayOf(moment: string | null): string {
  if (moment === null) return ''
  const at = new Date(moment)
  const part = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${part(at.getMonth() + 1)}-${part(at.getDate())}`
}

/** The last second of such a day; null for none. */
export function endOfDay(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString()
}
