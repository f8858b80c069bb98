let changes = 0

/** Whether this tab is changing something, and has no answer yet. */
export function isChanging(): boolean {
  return changes > 0
}

/** Does work that changes something; whoever asked for it goes on before a timer does. */
export async function changing<T>(work: () => Promise<T>): Promise<T> {
  changes += 1
  try {
    return await work()
  } finally {
    changes -= 1
  }
}
