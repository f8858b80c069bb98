/** Tells how far long work has come. */
export interface Progress {
  /** What is being done; with `done` and `total` where it can be counted, and which of them it is about. */
  tell(doing: string, done?: number, total?: number, about?: string): void
  /** Nothing more is told: a line that was being rewritten goes. */
  end(): void
}

/** Where progress is told; standard error in the program. */
export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const redrawMs = 80
const plainMs = 2_000
const wipe = '\r\u001b[2K'

/** Tells nobody. */
export const silent: Progress = { tell: () => undefined, end: () => undefined }

/** On a terminal one line that is rewritten, otherwise a line for each thing that is done and now and then how far it is. */
export function createProgress(stream: ProgressStream, now: () => number = Date.now): Progress {
  return stream.isTTY ? createLine(stream, now) : createLines(stream, now)
}

function createLine(stream: ProgressStream, now: () => number): Progress {
  let drawn = -Infinity
  let said = ''
  return {
    tell(doing, done, total, about) {
      if (doing === said && now() - drawn < redrawMs) return
      said = doing
      drawn = now()
      stream.write(wipe + describe(doing, done, total, about).slice(0, Math.max(10, (stream.columns ?? 80) - 1)))
    },
    end: () => void stream.write(wipe),
  }
}

function createLines(stream: ProgressStream, now: () => number): Progress {
  let said = ''
  let at = -Infinity
  return {
    tell(doing, done, total, about) {
      if (doing === said && now() - at < plainMs) return
      said = doing
      at = now()
      stream.write(`${describe(doing, done, total, about)}\n`)
    },
    end: () => undefined,
  }
}

function describe(doing: string, done?: number, total?: number, about?: string): string {
  const count = done === undefined ? '' : ` ${done}${total === undefined ? '' : ` of ${total}`}`
  return `${doing}${count}${about === undefined ? '' : `: ${about}`}`
}
