const cronFields = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12 },
  { name: 'day of the week', least: 0, most: 7 },
] as const

const itemForm = /^(?:\*|(?<from>\d{1,2})(?:-(?<to>\d{1,2}))?)(?:\/(?<step>\d{1,2}))?$/

/** Says why a text is no cron expression of five fields in numbers, `*`, ranges, steps and lists. */
export function cronFault(expression: string): string | undefined {
  const fields = expression.split(' ')
  if (fields.length !== cronFields.length)
    return 'Write five fields: minute, hour, day of the month, month, day of the week.'
  const wrong = cronFields.find(({ least, most }, index) => !isField(fields[index] ?? '', least, most))
  return (
    wrong && `The ${wrong.name} is a number from ${wrong.least} to ${wrong.most}, *, a range, a step or a list of them.`
  )
}

function isField(field: string, least: number, most: number): boolean {
  return field.split(',').every((item) => {
    const parts = itemForm.exec(item)?.groups
    if (!parts) return false
    const from = Number(parts['from'] ?? least)
    const to = Number(parts['to'] ?? parts['from'] ?? most)
    const step = Number(parts['step'] ?? 1)
    return least <= from && from <= to && to <= most && step >= 1 && step <= most
  })
}
