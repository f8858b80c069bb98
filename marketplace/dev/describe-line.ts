type Fields = Readonly<Record<string, unknown>>

/** Limits that a call is shown against, as production has them. */
interface ShownLimits {
  readonly cpuMs: number
  readonly wallMs: number
  readonly hostCalls: number
}

/** What a line of the platform's log says to a plugin's author; nothing, when it is none of the plugin's. */
export function describeLine(fields: Fields, plugin: string, limits: ShownLimits): readonly string[] {
  const { guest, cost, most, target, ending, why, message, level, call, err, path, page } = fields
  if (isRecord(page) && page['plugin'] === plugin) return describePage(page)
  if (guest === plugin && isRecord(cost) && isRecord(target))
    return [
      `${String(target['kind'])} ${String(target['name'])}: ${String(ending)}, ${describeCost(cost, { ...limits, ...given(most) })}`,
      ...(typeof why === 'string' ? why.split('\n').map((line) => `  ! ${line}`) : []),
    ]
  if (guest === plugin && typeof call === 'string') return [`  ${String(level)}: ${String(message)}`]
  if (isRecord(err) && typeof path === 'string' && path.includes(`/plugins/${plugin}/api`)) {
    const { stack, message: said } = err
    return ownLines(String(stack ?? said)).map((line) => `  ! ${line}`)
  }
  if (typeof err === 'string' && typeof path === 'string' && path.includes(`/plugins/${plugin}/api`))
    return [`  ! ${err}`]
  if (fields['plugin'] === plugin && (level === 'warn' || level === 'error')) {
    const why = isRecord(err) ? `: ${String(err['message'])}` : ''
    return [`  ! ${String(fields['msg'])}${why}`]
  }
  return []
}

/** What a page says, and where. */
function describePage({ level, message, places }: Fields): readonly string[] {
  const where = Array.isArray(places) ? places.map((place) => `  !   ${String(place)}`) : []
  return [`  page, ${String(level)}: ${String(message)}`, ...where]
}

/** What was said and the lines of the author's own files: where in the platform it was noticed helps no author. */
function ownLines(stack: string): readonly string[] {
  return stack.split('\n').filter((line) => !/^\s+at .*(file:\/\/|node:|\/(kernel|sandbox|core-plugins)\/)/.test(line))
}

function describeCost(cost: Fields, limits: ShownLimits): string {
  const [cpu, wall, calls] = [cost['cpuMs'], cost['wallMs'], cost['hostCalls']].map(Number)
  const part = (value: number | undefined, most: number, unit: string): string =>
    `${Math.round((value ?? 0) * 10) / 10} of ${most} ${unit}`
  return [
    part(cpu, limits.cpuMs, 'ms CPU'),
    part(wall, limits.wallMs, 'ms'),
    part(calls, limits.hostCalls, 'host calls'),
  ].join(', ')
}

/** Bounds of the call's own: a job and a schedule have others than a route. */
function given(most: unknown): Partial<ShownLimits> {
  return isRecord(most) ? Object.fromEntries(Object.entries(most).filter(([, value]) => value !== undefined)) : {}
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
