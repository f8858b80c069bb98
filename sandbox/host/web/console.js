const levels = {
  debug: 'debug',
  trace: 'debug',
  log: 'info',
  info: 'info',
  dir: 'info',
  table: 'info',
  warn: 'warn',
  error: 'error',
}
const longest = 4096
const deepest = 4

/** A value as a line of the log shows it. */
function show(value, depth = 0, above = []) {
  if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return `[function ${value.name}]`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Error) return `${value.stack ?? value}`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (above.includes(value)) return '[circular]'
  if (depth >= deepest) return Array.isArray(value) ? '[…]' : '{…}'
  const inner = (item) => show(item, depth + 1, [...above, value])
  if (Array.isArray(value)) return `[${value.slice(0, 100).map(inner).join(', ')}]`
  if (value instanceof Map)
    return `Map {${[...value].map(([key, item]) => `${inner(key)} => ${inner(item)}`).join(', ')}}`
  if (value instanceof Set) return `Set {${[...value].map(inner).join(', ')}}`
  const fields = Object.keys(value)
    .slice(0, 100)
    .map((key) => `${key}: ${inner(value[key])}`)
  return `{${fields.join(', ')}}`
}

function line(values) {
  let text
  try {
    text = values.map((value) => show(value)).join(' ')
  } catch {
    text = 'what was logged cannot be shown'
  }
  return text.slice(0, longest)
}

/** The console of the web: what it is told are lines of the log, `write(level, text)`. */
export function createConsole(write) {
  const counts = new Map()
  const begun = new Map()
  const console = {}
  for (const [name, level] of Object.entries(levels)) console[name] = (...values) => write(level, line(values))
  const elapsed = (label, ...more) => {
    if (begun.has(label)) write('info', line([`${label}: ${Date.now() - begun.get(label)} ms`, ...more]))
  }
  return Object.assign(console, {
    assert: (claim, ...values) => claim || write('error', line(['Assertion failed', ...values])),
    count(label = 'default') {
      counts.set(label, (counts.get(label) ?? 0) + 1)
      write('info', `${label}: ${counts.get(label)}`)
    },
    countReset: (label = 'default') => void counts.delete(label),
    time: (label = 'default') => void begun.set(label, Date.now()),
    timeLog: (label = 'default', ...values) => elapsed(label, ...values),
    timeEnd(label = 'default') {
      elapsed(label)
      begun.delete(label)
    },
    group: (...values) => values.length > 0 && write('info', line(values)),
    groupCollapsed: (...values) => values.length > 0 && write('info', line(values)),
    groupEnd: () => undefined,
    clear: () => undefined,
  })
}
