/** Rows of one day or month. */
export interface DayGroup<R> {
  /** `month` goes with the month that it is, such as `2026-11`. */
  readonly kind: 'today' | 'yesterday' | 'week' | 'month'
  readonly key: string
  readonly rows: readonly R[]
}

const dayMilliseconds = 86_400_000

/** Puts rows, the newest first, under the days of a time zone that they belong to: today, yesterday, the last seven days, and months. */
export function byDay<R extends { readonly updated_at: string }>(
  rows: readonly R[],
  timeZone: string,
  now: number,
): readonly DayGroup<R>[] {
  // Of no language: the order of its parts alone matters.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const dayOf = (moment: number) => format.format(moment)
  const today = Date.parse(dayOf(now))
  const placeOf = ({ updated_at: at }: R) => {
    const day = dayOf(Date.parse(at))
    const age = Math.round((today - Date.parse(day)) / dayMilliseconds)
    if (age <= 0) return 'today'
    if (age === 1) return 'yesterday'
    return age < 7 ? 'week' : day.slice(0, 7)
  }
  return [...Map.groupBy(rows, placeOf)].map(([key, found]) => ({
    kind: key === 'today' || key === 'yesterday' || key === 'week' ? key : 'month',
    ...{ key, rows: found },
  }))
}

/** What a month is called, such as November 2026. */
export function monthName(month: string, locale: string): string {
  const options = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locale, options).format(Date.parse(`${month}-01`))
}
