/** Whether a text is the name of a time zone in the IANA database, as this Node.js knows it; the format `time-zone` of every schema. */
export function isTimeZone(name: string): boolean {
  // The usual one; asking for any takes a millisecond.
  if (name === 'UTC') return true
  // Offsets such as +02:00 are taken by Intl and know no daylight saving.
  if (!/^[A-Za-z]/.test(name) || name.length > 64) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
