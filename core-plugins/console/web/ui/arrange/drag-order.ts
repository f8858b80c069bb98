/** What a place of a list listens to, and whether it is taken along. */
interface DragOrder {
  /** For what is taken hold of. */
  grip(at: number): object
  /** Takes what was dragged to a place. */
  drop(at: number): void
  /** Whether something of this list is under way. */
  isDragging(): boolean
}

/** Lets the lines of a list be dragged to other places; keys need buttons beside it. */
export function useDragOrder(move: (from: number, to: number) => void): DragOrder {
  let dragged: number | undefined
  return {
    grip: (at) => ({
      draggable: true,
      onDragstart(event: DragEvent) {
        dragged = at
        event.dataTransfer?.setData('text/plain', String(at))
      },
      onDragend: () => (dragged = undefined),
    }),
    drop(at) {
      const from = dragged
      dragged = undefined
      if (from !== undefined && from !== at) move(from, at)
    },
    isDragging: () => dragged !== undefined,
  }
}

/** A list with one of its lines at another place. */
export function reordered<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(to, 0, ...list.slice(from, from + 1))
}
