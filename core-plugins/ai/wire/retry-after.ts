/** How long a vendor asks to be left alone, in milliseconds: `retry-after-ms`, or Retry-After in seconds or as a date (RFC 9110, 10.2.3). */
export function parseRetryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? NaN)
  if (exact >= 0) return exact
  const value = headers['retry-after']
  if (value === undefined || value === '') return undefined
  const seconds = Number(value)
  if (seconds >= 0) return seconds * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
