/** Begins to count the processor time of this process, in milliseconds: what passes on the clock is also the machine's other work. */
export function countCpuTime(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
