/** Whether a text is the name of a time zone in the IANA database, as this Node.js knows it. */
export function isTimeZone(name: string): boolean {
  // Offsets such as +02:00 are taken by Intl and know no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
