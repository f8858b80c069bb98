/** What an examination of one thing came to. */
export interface Diagnosis {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly what: string
  readonly says: string
  /** What to do about it. */
  readonly todo?: string
}

/** What work comes to: a diagnosis of its own, or a failure with what to do. */
export async function diagnose(
  what: string,
  todo: string,
  work: () => Promise<Omit<Diagnosis, 'what'>>,
): Promise<Diagnosis> {
  try {
    return { what, ...(await work()) }
  } catch (error) {
    return { level: 'fail', what, says: (error as Error).message.split('\n')[0] ?? '', todo }
  }
}
