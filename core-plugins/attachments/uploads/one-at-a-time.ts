/** Runs work alone under a name, on every host. */
export type OneAtATime = <T>(name: string, work: () => Promise<T>) => Promise<T>
