import { ref } from 'vue'

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Arrow keys go from cell to cell of a table, of which Tab reaches one alone: the one that was in use last. */
export function useCellKeys() {
  const last = ref<string>()

  /** To the next cell with a button in that direction; Home and End go along the row. */
  function move(event: KeyboardEvent): void {
    const table = (event.currentTarget as HTMLElement).closest('table')
    const cell = event.target instanceof HTMLElement ? event.target.closest('td') : null
    const row = cell?.parentElement
    if (!table || !cell || !row) return
    const rows = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr')].filter(
      (each) => buttonsOf(each).length > 0,
    )
    const from = rows.indexOf(row as HTMLTableRowElement)
    const found = targetOf(event.key, rows, from, cell.cellIndex)
    if (!found) return
    event.preventDefault()
    found.focus()
  }
  return { last, move }
}

function targetOf(
  key: string,
  rows: readonly HTMLTableRowElement[],
  from: number,
  column: number,
): HTMLButtonElement | undefined {
  const own = rows[from]
  if (!own) return undefined
  if (key === 'Home') return buttonsOf(own)[0]
  if (key === 'End') return buttonsOf(own).at(-1)
  const [down, right] = steps[key] ?? [0, 0]
  if (right !== 0) return own.cells[column + right]?.querySelector('button') ?? undefined
  return down === 0 ? undefined : (rows[from + down]?.cells[column]?.querySelector('button') ?? undefined)
}

function buttonsOf(row: HTMLTableRowElement): readonly HTMLButtonElement[] {
  return [...row.querySelectorAll<HTMLButtonElement>('td button')]
}
