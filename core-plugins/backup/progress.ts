/** Takes one line each time something worth telling was done, and while a backup is made, how much of it there is. */
export type Progress = (line: string, percent?: number) => void

/** How much of a backup there is once the database is in it; the rest are files. */
export const databasePercent = 50

/** A number of bytes in words. */
export function presentBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const [unit, size] = bytes < 1024 ** 2 ? ['KiB', 1024] : bytes < 1024 ** 3 ? ['MiB', 1024 ** 2] : ['GiB', 1024 ** 3]
  return `${(bytes / Number(size)).toFixed(1)} ${unit}`
}
